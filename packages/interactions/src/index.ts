// Answers; the first one to an interaction counts.
export {
  type AnsweredInteraction,
  answerInteractions,
  findEphemeralMessage,
  type NewAnswer,
  requireAnswerable,
  storeAnswer,
} from "./answers.js";
// The one connection, or the one dispatcher, that has an interaction.
export {
  type Candidate,
  type ClaimedInteraction,
  claimForConnections,
  claimForDispatcher,
  releaseInteractions,
} from "./claims.js";
export { claimBatchMax, firstAnswerSeconds } from "./limits.js";
// The rows.
export { findInteractions, type InteractionRow, insertInteractions, type NewInteractionRow } from "./rows.js";
// The sweep of every api.
export {
  claimUnannounced,
  dueInteractions,
  failInteraction,
  failOverdue,
  findHolders,
  findWaitingBots,
  markAnnounced,
  releaseGateway,
} from "./sweep.js";
