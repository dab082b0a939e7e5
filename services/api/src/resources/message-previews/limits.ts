/** Messages that wait for their link cards: of one author, and of one server. Those beyond get none. */
export const waitingPerAuthorMax = 20;
export const waitingPerServerMax = 200;
