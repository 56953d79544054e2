// A file that the server refuses: Streamlit would keep it as a red entry, and name the status of HTTP in a hint only.
// The entry is removed, and one sentence below the field says why.

const watchedUploaders = new WeakSet();

for (const kind of ["change", "drop"]) {
  addEventListener(kind, (event) => {
    const uploader = event.target.closest?.(".stFileUploader");
    if (!uploader) return;
    uploader.querySelector(".dp-refused")?.remove(); // it was about the file before
    if (watchedUploaders.has(uploader)) return;
    watchedUploaders.add(uploader);
    new MutationObserver(() => replaceRefused(uploader)).observe(uploader, {childList: true, subtree: true});
  }, true);
}

function replaceRefused(uploader) {
  for (const entry of uploader.querySelectorAll("[data-testid=stFileChip][aria-invalid=true]:not(.dp-told)")) {
    entry.classList.add("dp-told");
    const name = entry.querySelector("[data-testid=stFileChipName]")?.title ?? "The file";
    const reason = uploadReason(entry.querySelector("[role=alert]")?.textContent ?? "");
    const sentence = uploader.querySelector(".dp-refused") ?? element("p", "dp-problem dp-refused", uploader, {role: "alert"});
    sentence.textContent = `${name} was not taken. ${reason}`;
    entry.querySelector("[data-testid=stFileChipDeleteBtn] button")?.click();
  }
}

// What Streamlit checks itself it says in a sentence; of what the server refuses it knows the status alone.
function uploadReason(said) {
  const status = /status code (\d+)/.exec(said)?.[1];
  if (uploadSentences[status]) return uploadSentences[status];
  if (!status && !/AxiosError|Network Error/.test(said)) return said.replace(/^Error: /, "");
  return "It did not reach the server. Reload the page and choose it again.";
}
