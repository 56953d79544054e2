// Keeps, for every frame after a change, how each part of the page looks, when it was painted, and when the hand moved.
(() => {
  const look = {log: [], hands: [], changed: true, last: ""};
  const parts = () => [...document.querySelectorAll("[data-chart], .stPlotlyChart")];
  const inSight = (node) => {
    const {top, bottom} = node.getBoundingClientRect();
    return Math.min(bottom, innerHeight) - Math.max(top, 0) > 50;
  };
  const marks = (node) => [...(node?.querySelectorAll(".main-svg [data-index], .dp-handle") ?? [])].map((mark) => {
    const {left, top} = mark.getBoundingClientRect();
    return [mark.textContent, left, top];
  });
  const curves = (node) => [...node.querySelectorAll(".main-svg :is(path, text, image), h2, p")]
    .filter((each) => !each.closest("[data-index], .hoverlayer, .dp-handle"))
    .map((each) => [...["d", "transform", "href"].map((name) => each.getAttribute(name)), each.textContent].join())
    .join("|");
  look.now = () => ({
    answer: document.querySelector(".st-key-answer")?.innerText ?? "",
    charts: parts().filter((node, place) => place === 0 || inSight(node)).map((node) => [curves(node), marks(node)]),
  });
  look.running = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState !== "notRunning"
    || document.querySelector(".dp-waiting") !== null; // between two runs that ask how far a slow stage is
  const afterPaint = (act) => { // a message is handled after the frame in which it is posted, before the next one
    const {port1, port2} = new MessageChannel();
    port1.onmessage = act;
    port2.postMessage(0);
  };
  const frame = () => {
    if (look.changed) {
      look.changed = false;
      const seen = look.now(), text = JSON.stringify(seen);
      if (text !== look.last) {
        look.last = text;
        afterPaint(() => look.log.push([performance.now(), seen]));
      }
    }
    requestAnimationFrame(frame);
  };
  const hand = (event) => look.hands.push(event.timeStamp);
  addEventListener("keydown", hand, true);
  addEventListener("pointermove", (event) => event.buttons && hand(event), true);
  document.addEventListener("DOMContentLoaded", () => {
    new MutationObserver(() => (look.changed = true))
      .observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
    requestAnimationFrame(frame);
  });
  window.look = look;
})();
