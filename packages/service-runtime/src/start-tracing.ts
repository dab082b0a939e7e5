import type { Closable } from "./lifecycle.js";
import { setTracing } from "./work-context.js";

/** The settings of traces. */
interface TracingSettings {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  PARLEY_VERSION: string;
  NODE_ID: string;
}

/** Starts to record traces where a collector is set; otherwise nothing of OpenTelemetry is loaded. */
export async function startTracing(service: string, settings: TracingSettings): Promise<Closable> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return { close: () => undefined };
  const { openTracing } = await import("./open-tracing.js");
  const { tracing, close } = openTracing({ service, version: settings.PARLEY_VERSION, node: settings.NODE_ID });
  setTracing(tracing);
  return {
    close: () => {
      setTracing(null);
      return close();
    },
  };
}
