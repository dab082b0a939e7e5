import { counted } from "./counted.js";

/** Friends, requests for friendship, and blocks. */
export const people = {
  title: "Friends",
  explanation: "You can also ask someone for friendship, or block them, in their profile.",
  add: "Add a friend by name",
  addHint: "People in your servers and conversations.",
  requests: (count: number) => counted(count, "request"),
  incoming: "Requests to you",
  outgoing: "Your requests",
  friends: "Your friends",
  noFriends: "You have no friends here yet.",
  blocked: "Blocked",
  ask: "Add as a friend",
  accept: "Accept",
  refuse: "Refuse",
  takeBack: "Take the request back",
  end: "End the friendship",
  block: "Block",
  unblock: "Unblock",
  acceptOf: (name: string) => `Accept the request of ${name}`,
  refuseOf: (name: string) => `Refuse the request of ${name}`,
  takeBackOf: (name: string) => `Take back the request to ${name}`,
  unblockOf: (name: string) => `Unblock ${name}`,
  messageTo: (name: string) => `Message ${name}`,
  asked: (name: string) => `You’ve asked ${name} for friendship.`,
  nowBlocked: (name: string) =>
    `You’ve blocked ${name}. Neither of you can write to the other, and their messages are folded away.`,
  folded: "Message from somebody you blocked.",
  show: "Show",
  blockedHere: (name: string) => `You’ve blocked ${name}. To write to each other, unblock them first.`,
  privacy: {
    title: "Privacy",
    explanation: "Who can start a conversation with you, or go on with one. Friends always can.",
    dmsFrom: "Who may write to you",
    from: { everyone: "Everyone", servers: "Friends and people in your servers", friends: "Friends only" },
  },
} as const;
