import type { Route } from "../rest/route.js";
import { gatewayRoutes } from "./gateway.js";

/** Every route of Discord's API that is served (docs/discord.md#rest). */
export const routes: readonly Route[] = [...gatewayRoutes];
