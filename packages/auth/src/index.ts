// Access tokens: issue and verify.
export {
  type AccessClaims,
  type AccessTokens,
  createAccessTokens,
  jwtSecrets,
  type SessionClaim,
} from "./access-tokens.js";
// The accounts behind tokens.
export { type Accounts, type ActiveBot, type ActiveUser, createAccounts, sessionInForce } from "./accounts.js";
// From an Authorization header to the identity of the caller.
export { type Credential, parseAuthorization, rejectionText } from "./authorization.js";
export { type Claim, createReadClaim, type Identity, type ReadClaim } from "./identity.js";
// Tokens by which bots answer interactions.
export { createInteractionTokens, type InteractionTokens } from "./interaction-tokens.js";
// Opaque tokens: bot tokens, webhook secrets, refresh tokens and their successors.
export {
  deriveSuccessor,
  generateToken,
  hashToken,
  isGeneratedToken,
  openSealedToken,
  sealToken,
} from "./opaque-tokens.js";
