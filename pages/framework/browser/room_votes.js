// What the phones of a class have sent, from the tab of its room to the tab with the demonstration, inside the browser.

/** @typedef {{question: string, words: string}} Votes */

/** @type {Map<string, string>} By question: what phones have sent, in words. */
const votesByQuestion = new Map();

/** @type {Votes | null} The votes of the room of this tab. */
let ownVotes = null;

/** @type {() => void} */
let onVotes = () => {};

/** @type {BroadcastChannel | null} A message null wants the votes of each tab with a room. */
let channel = null;

function open() {
  if (channel) return channel;
  channel = new BroadcastChannel("dp_room_votes");
  channel.onmessage = ({data}) => {
    if (data === null) return void (ownVotes && channel?.postMessage(ownVotes));
    if (data.question) votesByQuestion.set(data.question, data.words);
    else votesByQuestion.clear(); // the room has ended
    onVotes();
  };
  return channel;
}

/**
 * Tell the other tabs what phones have sent to the room of this one, or that it has ended, without a question.
 * @param {Votes} votes
 */
export function tellVotes(votes) {
  if (JSON.stringify(votes) === JSON.stringify(ownVotes) || !(votes.words || ownVotes)) return;
  ownVotes = votes;
  open().postMessage(votes);
}

/**
 * Call a function whenever a tab tells of votes, also of those that there are.
 * @param {() => void} listener
 */
export function followVotes(listener) {
  onVotes = listener;
  open().postMessage(null);
}

/** Forget what tabs have told so far: another class begins anew. */
export const forgetVotes = () => votesByQuestion.clear();

/**
 * Return what phones have sent in answer to a question; empty where no tab has told of any.
 * @param {string} question
 */
export const votesOn = (question) => votesByQuestion.get(question) ?? "";
