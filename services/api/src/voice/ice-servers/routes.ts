import { IceServers } from "@parley/contracts";
import { ok, type Route, route } from "../../platform/http/route.js";

export function iceServerRoutes(iceServers: (userId: string) => Promise<IceServers>): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/ice-servers",
        name: "voice.iceServers",
        summary: "Get STUN and TURN servers",
        caller: "account",
        success: ok(IceServers),
      },
      ({ identity }) => iceServers(identity.userId),
    ),
  ];
}
