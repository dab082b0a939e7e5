import { channel } from "node:diagnostics_channel";

/** Sockets that clients have opened: to the setup file that ends those of a test file. */
export const gatewaySockets = channel("parley:gateway-sockets");
