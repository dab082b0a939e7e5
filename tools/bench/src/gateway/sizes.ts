/** How much each benchmark of the gateway does. */
export type GatewaySizes = typeof fullSizes;

/** What the goals speak of. */
export const fullSizes = {
  rounds: 3,
  fanout: {
    sockets: 1_000,
    users: 1_000,
    perSecond: 1_000,
    /** Slow contestants get fewer: their rate does not depend on it. */
    events: { gateway: 5_000, "naive ws": 500, "socket.io": 500 },
    /** More than the gateway can pass on. */
    ceilingPerSecond: 2_000,
    ceilingEvents: 10_000,
  },
  // Users with 20 connections each: with one each, telling everybody of everybody's coming takes longer than the rest.
  burst: { sockets: 10_000, users: 500, bursts: 10 },
  idle: { sockets: 15_000, servers: 30, settleMs: 12_000 },
  ready: {
    community: {
      users: 10_000,
      servers: 2_000,
      serversPerUser: 20,
      channelsPerServer: 10,
      messagesPerChannel: 5,
      directMessagesPerUser: 20,
    },
    /** Connections opened one after the other, for the database's time. */
    single: 300,
    watchers: 100,
    perSecond: 100,
    calmEvents: 1_000,
    inFlight: 256,
  },
  continue: {
    /** Its last users, `watchers` of them, are the other gateway's own clients; all others lose theirs. */
    community: {
      users: 10_200,
      servers: 2_000,
      serversPerUser: 20,
      channelsPerServer: 10,
      messagesPerChannel: 1,
      directMessagesPerUser: 20,
    },
    watchers: 200,
    perSecond: 200,
    /** How long events are sent before the death, and after the last has continued. */
    calmMs: 10_000,
    afterMs: 3_000,
    /** Connections that only wait, with and without numbers. */
    memory: { sockets: 10_000, servers: 40, settleMs: 12_000 },
  },
  compression: { sockets: 1_000, perSecond: 50, messages: 500 },
  latency: { sockets: 100, perSecond: 100, events: 1_000 },
  churn: { perSecond: 200, holdMs: 1_000, users: 500, warmUpMs: 20_000, durationMs: 120_000, sampleMs: 1_000 },
};

const { fanout, ready, continue: continuing } = fullSizes;

/** Enough to see that all is counted, in seconds. */
export const quickSizes: GatewaySizes = {
  rounds: 1,
  fanout: {
    ...fanout,
    sockets: 50,
    users: 25,
    events: { gateway: 100, "naive ws": 20, "socket.io": 20 },
    ceilingEvents: 200,
  },
  burst: { sockets: 50, users: 25, bursts: 2 },
  idle: { sockets: 50, servers: 2, settleMs: 0 },
  ready: {
    ...ready,
    community: { ...ready.community, users: 24, servers: 20, messagesPerChannel: 2 },
    single: 5,
    watchers: 10,
    calmEvents: 20,
    inFlight: 8,
  },
  continue: {
    ...continuing,
    community: { ...continuing.community, users: 220, servers: 200, channelsPerServer: 2, directMessagesPerUser: 4 },
    watchers: 20,
    calmMs: 1_000,
    afterMs: 1_000,
    memory: { sockets: 100, servers: 20, settleMs: 0 },
  },
  compression: { sockets: 20, perSecond: 20, messages: 40 },
  latency: { sockets: 10, perSecond: 100, events: 20 },
  churn: { perSecond: 50, holdMs: 100, users: 10, warmUpMs: 200, durationMs: 1_000, sampleMs: 100 },
};
