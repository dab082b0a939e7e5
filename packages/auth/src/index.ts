// Access tokens: issue and verify.
export {
  type AccessClaims,
  type AccessTokens,
  createAccessTokens,
  jwtSecrets,
  type SessionClaim,
} from "./access-tokens.js";
// The accounts behind tokens.
export {
  type Accounts,
  type ActiveBot,
  type ActiveUser,
  createAccounts,
  lacksFactorSql,
  sessionInForce,
} from "./accounts.js";
// Addresses of clients, and networks that are banned.
export { forwardedAddresses, isInNetwork, type Network, parseAddress, parseNetwork } from "./addresses.js";
// From an Authorization header to the identity of the caller.
export { type Credential, parseAuthorization, rejectionText } from "./authorization.js";
export { createClientAddress, trustProxySetting } from "./client-address.js";
// Addresses of files that grant access for a day.
export { type AttachmentName, createFileUrls, type FileSignature, type FileUrls } from "./file-urls.js";
export { type Claim, createReadClaim, type Identity, type ReadClaim } from "./identity.js";
// Tokens by which bots answer interactions.
export { createInteractionTokens, type InteractionTokens } from "./interaction-tokens.js";
export { type NetworkBans, watchNetworkBans } from "./network-bans.js";
// Opaque tokens: bot tokens, webhook secrets, refresh tokens and their successors.
export {
  deriveSuccessor,
  generateToken,
  hashToken,
  isGeneratedToken,
  openSealedToken,
  sealToken,
} from "./opaque-tokens.js";
