import { ErrorCode, NatsError } from "nats";

/** Whether JetStream answered that a stream, consumer or message does not exist. */
export function isNotFound(error: unknown): boolean {
  return (
    error instanceof NatsError && (error.api_error?.code === 404 || error.code === ErrorCode.JetStream404NoMessages)
  );
}
