import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import type { ReadHeader, SpanAttributes, Tracing } from "./work-context.js";

/**
 * Opens OpenTelemetry: spans go to OTEL_EXPORTER_OTLP_ENDPOINT, W3C trace context is between processes. The other
 * standard variables (OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_HEADERS, OTEL_BSP_*) are read by the library. Loaded only
 * when it is on.
 */
export function openTracing({ service, version, node }: { service: string; version: string; node: string }) {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      "service.name": service,
      "service.version": version,
      "service.instance.id": node,
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  const tracer = trace.getTracer("parley");

  const end = (span: Span, error?: unknown) => {
    if (error !== undefined) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  };
  const runIn = <Result>(
    parent: Context,
    { name, kind, attributes }: { name: string; kind: SpanKind; attributes: SpanAttributes },
    work: () => Promise<Result>,
  ): Promise<Result> =>
    tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
      try {
        const result = await work();
        end(span);
        return result;
      } catch (error) {
        end(span, error);
        throw error;
      }
    });
  const parentIn = (read: ReadHeader): Context =>
    propagation.extract(ROOT_CONTEXT, read, {
      get: (_, key) => read(key) ?? undefined,
      keys: () => ["traceparent", "tracestate"],
    });

  const tracing: Tracing = {
    /** Clients name no trace: one that they could choose would let them have every request of theirs recorded. */
    root: <Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>) =>
      runIn(ROOT_CONTEXT, { name, kind: SpanKind.SERVER, attributes }, work),
    run: <Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>) =>
      trace.getActiveSpan() === undefined
        ? work()
        : runIn(context.active(), { name, kind: SpanKind.INTERNAL, attributes }, work),
    continue: <Result>(read: ReadHeader, name: string, work: () => Promise<Result>) =>
      runIn(parentIn(read), { name, kind: SpanKind.CONSUMER, attributes: {} }, work),
    continueAtOnce(read: ReadHeader, name: string, work: () => void): void {
      tracer.startActiveSpan(name, { kind: SpanKind.CONSUMER }, parentIn(read), (span) => {
        try {
          work();
        } finally {
          end(span);
        }
      });
    },
    inject: (headers: Record<string, string>) => propagation.inject(context.active(), headers),
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
  };
  return { tracing, close: () => provider.shutdown() };
}
