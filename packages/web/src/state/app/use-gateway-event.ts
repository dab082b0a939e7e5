import type { DispatchEvents } from "@parley/client";
import { useEffect, useRef } from "react";
import { useApp } from "./use-app.js";

/** Calls the listener for each event of that name while a component is there: for data that only its screen has. */
export function useGatewayEvent<Name extends keyof DispatchEvents>(
  name: Name,
  listener: (payload: DispatchEvents[Name]) => unknown,
): void {
  const { gateway } = useApp();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    return gateway.on(name, (payload: DispatchEvents[Name]) => latest.current(payload));
  }, [gateway, name]);
}
