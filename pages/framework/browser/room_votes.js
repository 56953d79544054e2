// Between the tab of a demonstration and that of its room, inside the browser: the next question, the way back, and what
// the phones of the class have sent.

/** @typedef {{question: string, words: string}} Votes */

const LECTURE = "dp-lecture", ROOM = "dp-room"; // the names of the two tabs

/** @type {Map<string, string>} By question: what phones have sent, in words. */
const votesByQuestion = new Map();

/** @type {Votes | null} The votes of the room of this tab. */
let ownVotes = null;

/** @type {() => void} */
let onVotes = () => {};

/** @type {(set: Record<string, string>, how: string) => void} */
let onQuestion = () => {};
let isFollowing = false;

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

/**
 * Ask a question on phones: in the tab of the room if there is one, and otherwise in a new one, which opens the room.
 * @param {string} room the link of the question
 * @param {string} how the key of an action, empty for that of the last question
 */
export function askOnPhones(room, how) {
  window.name = LECTURE;
  const tab = window.open("", ROOM), address = new URL(room, location.href);
  if (!tab) return;
  if (tab.location.pathname === address.pathname) {
    tab.postMessage({set: Object.fromEntries(address.searchParams), how}, location.origin);
  } else {
    address.searchParams.set("present", "on");
    address.hash = how || "ask";
    tab.location.replace(address.href);
  }
  tab.focus();
}

/** Return how the link of this tab asks its question at once, and forget it; empty where it does not. */
export function askedAtOnce() {
  const how = location.hash.slice(1);
  if (!isRoomTab() || !how.startsWith("ask")) return "";
  history.replaceState(history.state, "", location.pathname + location.search);
  return how;
}

/**
 * Call a function for each further question that a demonstration asks in this tab.
 * @param {(set: Record<string, string>, how: string) => void} listener
 */
export function followQuestions(listener) {
  onQuestion = listener;
  if (isFollowing) return;
  isFollowing = true;
  addEventListener("message", ({data, origin}) => {
    if (origin === location.origin && isRoomTab() && data?.set) onQuestion(data.set, data.how);
  });
}

/** Return whether a demonstration opened this tab for its room. */
export const isRoomTab = () => window.name === ROOM;

/** Show the tab of the demonstration again; the room stays. */
export const showLecture = () => void window.open("", LECTURE);
