import { AsyncLocalStorage } from "node:async_hooks";

/** The request that the work under way belongs to, from any service. */
interface WorkContext {
  readonly requestId: string;
}

/** Header of messages between services with the id of the request that caused them. */
const requestHeader = "Parley-Request";

const requestAttribute = "parley.request_id";

const context = new AsyncLocalStorage<WorkContext>();
let tracing: Tracing | null = null;

/** Values that a span has from its start. */
export type SpanAttributes = Record<string, string | number>;

/** Reads a header of a message; null or undefined without it. */
export type ReadHeader = (name: string) => string | null | undefined;

/** The recording of spans (open-tracing.ts). */
export interface Tracing {
  /** Work that begins a trace. */
  root<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>;
  /** A part of the work under way; not recorded outside of a trace. */
  run<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>;
  /** Work that a message of another process has caused. */
  continue<Result>(read: ReadHeader, name: string, work: () => Promise<Result>): Promise<Result>;
  continueAtOnce(read: ReadHeader, name: string, work: () => void): void;
  inject(headers: Record<string, string>): void;
  traceId(): string | undefined;
}

/** Sets where spans are recorded from now on; null for nowhere. */
export function setTracing(value: Tracing | null): void {
  tracing = value;
}

/** Runs a request: the work and the events that it causes carry its id, and it is the root of a trace. */
export function runRequest<Result>(
  { requestId, name }: { requestId: string; name: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const open = tracing;
  return context.run(
    { requestId },
    open === null ? work : () => open.root(name, { [requestAttribute]: requestId }, work),
  );
}

/** Runs work as a span of the trace under way, if there is one. Without tracing it costs a comparison. */
export function traced<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result> {
  return tracing === null ? work() : tracing.run(name, attributes, work);
}

/**
 * Runs work that a message of another process has caused: its log lines name the request, its spans belong to that
 * trace.
 */
export function continued<Result>(read: ReadHeader, name: string, work: () => Promise<Result>): Promise<Result> {
  const requestId = read(requestHeader);
  const run = tracing === null ? work : () => continuedTrace(read, name, work);
  return requestId ? context.run({ requestId }, run) : run();
}

/** As {@link continued} for work on a hot path: without tracing it costs a comparison, and its log lines name no request. */
export function continuedAtOnce(read: ReadHeader, name: string, work: () => void): void {
  if (tracing === null || !read("traceparent")) {
    work();
    return;
  }
  const requestId = read(requestHeader);
  const run = () => tracing?.continueAtOnce(read, name, work);
  if (requestId) context.run({ requestId }, run);
  else run();
}

/** As {@link continued}, of a message that this process sends: its log lines are those of its sender. */
export function continuedTrace<Result>(read: ReadHeader, name: string, work: () => Promise<Result>): Promise<Result> {
  return tracing !== null && read("traceparent") ? tracing.continue(read, name, work) : work();
}

/** Adds the request and the trace of the work under way to the headers of a message, unless it has those of another. */
export function stampHeaders(headers: Record<string, string>): void {
  const current = context.getStore();
  if (current !== undefined) headers[requestHeader] ??= current.requestId;
  if (tracing !== null && headers.traceparent === undefined) tracing.inject(headers);
}

/** Fields of every log line, about the work that writes it. */
export function contextFields(): Record<string, string> {
  const current = context.getStore();
  const fields: Record<string, string> = current === undefined ? {} : { request_id: current.requestId };
  const traceId = tracing?.traceId();
  if (traceId !== undefined) fields.trace_id = traceId;
  return fields;
}
