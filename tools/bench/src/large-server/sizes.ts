/** How much the benchmark of a large server does. */
export interface LargeServerSizes {
  /** Numbers of members at which the cost of each operation is measured. */
  members: readonly number[];
  /** How often each operation is measured at each of them. */
  repetitions: number;
  /** Of the members of the largest, so many are connected, divided between two gateways. */
  connected: number;
  channels: number;
  messagesPerSecond: number;
  messages: number;
  /** Frames of the floor at that rate. */
  floorFrames: number;
  /** Members who come and go meanwhile, a second. */
  comingPerSecond: number;
  /** How long each of them stays. */
  stayMs: number;
  /** Changes of a role, and kicks, after that. */
  changes: number;
  /** How long the small server is measured alone. */
  aloneMs: number;
}

/** What the goals speak of. */
export const fullSizes: LargeServerSizes = {
  members: [100, 10_000, 100_000],
  repetitions: 30,
  connected: 10_000,
  channels: 50,
  messagesPerSecond: 20,
  messages: 600,
  floorFrames: 200,
  comingPerSecond: 50,
  stayMs: 2_000,
  changes: 20,
  aloneMs: 10_000,
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
};
