// Which addresses may be dialled, and connections to these alone.
export { createAddressTest, isNetwork } from "./public-address.js";
export { createPublicConnector, type Lookup, RefusedAddressError } from "./public-connector.js";
