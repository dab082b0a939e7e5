/** How much the benchmark of a large server does. */
export type LargeServerSizes = typeof fullSizes;

/** What the goals speak of. */
export const fullSizes = {
  /** Numbers of members at which the cost of each operation is measured. */
  members: [100, 10_000, 100_000],
  /** How often each operation is measured at each of them. */
  repetitions: 30,
  /** Of the members of the largest, so many are connected, divided between two gateways. */
  connected: 10_000,
  channels: 50,
  messagesPerSecond: 20,
  messages: 600,
  /** Frames of the floor at that rate. */
  floorFrames: 200,
  /** Members who come and go meanwhile, a second. */
  comingPerSecond: 50,
  /** How long each of them stays. */
  stayMs: 2_000,
  /** Changes of a role, and kicks, after that. */
  changes: 20,
  /** How long the small server is measured alone. */
  aloneMs: 10_000,
  /** Of those who are connected, so many ask for joins, changes and leaves of members. */
  watching: 100,
  joinsPerSecond: 50,
  /** Messages to the others meanwhile: few, so that the machine has time for the joins. */
  joinMessagesPerSecond: 2,
  joinSeconds: 20,
  /** How often a channel that all of them view is made private, and messages after each. */
  privateChanges: 5,
  privateMessages: 10,
};

/** Enough to see that all is counted. */
export const quickSizes: LargeServerSizes = {
  members: [100, 1_000],
  repetitions: 5,
  connected: 200,
  channels: 50,
  messagesPerSecond: 20,
  messages: 40,
  floorFrames: 20,
  comingPerSecond: 10,
  stayMs: 300,
  changes: 3,
  aloneMs: 1_000,
  watching: 10,
  joinsPerSecond: 10,
  joinMessagesPerSecond: 5,
  joinSeconds: 2,
  privateChanges: 2,
  privateMessages: 3,
};
