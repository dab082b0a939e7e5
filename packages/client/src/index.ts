// Apps: commands that people find, components and forms.
export type { ComponentHandler, ModalHandler } from "./apps.js";
export type { Autocompletion, Interaction } from "./autocompletion.js";
// The status of somebody who does nothing.
export { type AutomaticAway, type AutomaticAwayOptions, createAutomaticAway } from "./automatic-away.js";
// Bots: commands and handlers of events.
export { BotProgram, createBot } from "./bot.js";
export type { BotContext, CommandContext, MessageEventName, WaitFor } from "./bot-context.js";
export type { BotHandler, BotOptions } from "./bot-options.js";
// The user's view, kept right by events.
export { Cache, type CacheOptions, createCache } from "./cache.js";
export type { CacheRest } from "./cache-reader.js";
export type { ChannelMark } from "./cached-marks.js";
export type { CachedMember } from "./cached-members.js";
// The client and its options.
export { type ClientOptions, createClient, type ParleyClient } from "./client.js";
export type {
  Autocomplete,
  Choice,
  CommandDefinition,
  CommandOptionDefinition,
  NumberOption,
  OptionValue,
  OptionValues,
  PlainOption,
  TextOption,
} from "./command-options.js";
// The parts of bots' messages.
export {
  type AnyComponent,
  button,
  type ComponentRow,
  type EmbedBody,
  type EmbedParts,
  embed,
  linkButton,
  rows,
  type SelectChoice,
  type SelectOptions,
  select,
  selectFrom,
} from "./components.js";
// Events one by one, with a position that is kept.
export type { ConsumeOptions, EventHandler, Turn } from "./consume.js";
// Errors.
export { type ErrorDetails, ParleyError, type ParleyErrorCode } from "./error.js";
// Events in real time.
export { Gateway } from "./gateway.js";
export type {
  ConnectOptions,
  EventContext,
  EventFollower,
  GatewayEvent,
  GatewayEvents,
  GatewayOptions,
  ListenerError,
  Resync,
  StatusChange,
  VoiceSignal,
} from "./gateway-options.js";
export type { SocketEnd, SocketTimes } from "./gateway-socket.js";
// Resources, requests and methods, generated from the description of the API.
export type * from "./generated/index.js";
// Bits of roles and overrides.
export { Permission } from "./generated/permission.js";
export type {
  AnswerableInteraction,
  CommandInteraction,
  CommandTarget,
  ComponentInteraction,
  Form,
  FormField,
  FormInteraction,
  InteractionReply,
  MessageReplacement,
  ModalInteraction,
  PressCollector,
  PressOptions,
  SentReply,
} from "./interaction.js";
// Lists, requests, uploads.
export type { Pages } from "./pages.js";
export type { Backoff } from "./pause.js";
export { createFileStore, type PositionStore } from "./position-store.js";
export type { RequestOptions, UploadOptions, WithFiles } from "./request.js";
// Tokens that outlive a program, and that clients share.
export { createBrowserTokenStore, type TokenStore, type Tokens } from "./token-store.js";
export type { UploadProgress } from "./upload.js";
// Waiting for events.
export type { CollectOptions, WaitOptions } from "./wait.js";
// Deliveries of webhooks, and interactions that come by HTTP.
export {
  type SignedRequest,
  verifyInteraction,
  verifyWebhook,
  type WebhookDelivered,
  type WebhookHeaders,
  WebhookVerificationError,
} from "./webhook.js";
export type { WebSocketConstructor, WebSocketLike } from "./websocket.js";
