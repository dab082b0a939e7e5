// Which operation causes which events.
export { notePublished, type Operation, runOperation } from "./causes.js";
// The connection.
export { connectMessaging, type Messaging, type MessagingOptions } from "./connect.js";
// Durable consumers, shared by the replicas of a service.
export { type Consumption, consume, type DurableConsumer, type StoredMessage } from "./consume.js";
export { consumeEach } from "./consume-each.js";
// The work queue of webhook deliveries.
export { deliveryConsumer, publishDelivery, queuedDeliveries } from "./deliveries.js";
export { createDeliveryQueue, type DeliveryQueue, type JobServer } from "./delivery-queue.js";
// Whether a gateway process lives.
export { answerAlive, isGatewayGone } from "./gateway-alive.js";
// Heartbeats of the stream.
export { publishHeartbeat, subscribeHeartbeats } from "./heartbeat.js";
// Limits that other packages name.
export {
  deliveryQueueMax,
  serverDeliveriesMax,
  storeAckTimeoutMs,
  streamDuplicateWindowMs,
  webhookDeliveriesMax,
} from "./limits.js";
// Publishing events.
export { isTooLarge, publishLive, publishStored } from "./publish.js";
// Reading events again.
export { readStored, type StoredRange, storedId, storedRange } from "./read-stored.js";
export { type FailedMessage, redeliver } from "./redeliver.js";
// Requests and notices between services.
export { notify, request } from "./request.js";
export { receiveNotices, respond } from "./respond.js";
export type { StoredAck } from "./stream-acks.js";
// Streams.
export {
  defaultStreamSettings,
  ensureStreams,
  eventStreamSettings,
  keepStreams,
  type StreamSettings,
} from "./streams.js";
// Receiving events.
export { type ReceivedEvent, subscribeLive } from "./subscribe.js";
