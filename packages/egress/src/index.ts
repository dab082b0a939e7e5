// Which addresses may be dialled, look-ups of names that users chose, and connections to these alone.
export { createLookupCounter } from "./lookup-metrics.js";
export { createNameResolver, type NameResolver } from "./name-resolver.js";
export { createAddressTest, isNetwork } from "./public-address.js";
export { createPublicConnector, type Lookup, RefusedAddressError } from "./public-connector.js";
