import { Gateway, type GatewayParts } from "./gateway.js";
import type { GatewayOptions } from "./gateway-options.js";
import type { Ready } from "./generated/index.js";

/** Creates {@link ParleyClient.gateway}. */
export function createGateways(parts: Omit<GatewayParts<never>, "options" | "first">) {
  function gateway(options?: GatewayOptions & { readonly position?: undefined }): Gateway<Ready>;
  function gateway(options: GatewayOptions): Gateway;
  function gateway(options: GatewayOptions = {}): Gateway {
    if (options.cache !== undefined && (options.v === 1 || options.position !== undefined)) {
      throw new Error("A cache begins with READY and needs v=2.");
    }
    if (options.position !== undefined) return new Gateway({ ...parts, options, first: (ready) => ready });
    return new Gateway<Ready>({ ...parts, options, first: begun });
  }
  return gateway;
}

/** A connection without a position begins with READY. */
function begun(ready: Ready | null): Ready {
  if (ready === null) throw new Error("The server continued from nowhere");
  return ready;
}
