import type { Route } from "../rest/route.js";
import { gatewayRoutes } from "./gateway.js";

/** Every route of Discord's API that is served (contract 31.2, 31.5). */
export const routes: readonly Route[] = [...gatewayRoutes];
