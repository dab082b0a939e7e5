import type { FoundPage } from "@parley/client";
import { useGatewayEvent } from "../../state/app/use-gateway-event.js";
import type { Data } from "../../ui/data/use-data.js";

/** The answer to a request of a search, or why there is none. */
export interface Answer {
  /** Of the request. */
  key: string;
  page: FoundPage | null;
  error: unknown;
}

/**
 * Takes deleted messages out of the results of a search, and reads the results again when one of the messages is
 * edited.
 */
export function useFoundChanges({ value, set, reload }: Data<Answer>): void {
  const drop = (gone: readonly string[]) =>
    set((answer) => {
      if (answer.page === null) return answer;
      const results = answer.page.results.filter(({ message }) => !gone.includes(message.id));
      const total = answer.page.total - (answer.page.results.length - results.length);
      return { ...answer, page: { ...answer.page, results, total } };
    });
  const readEdited = ({ id }: { id: string }) => {
    if (value?.page?.results.some(({ message }) => message.id === id) === true) void reload();
  };
  useGatewayEvent("MESSAGE_DELETE", ({ id }) => drop([id]));
  useGatewayEvent("DM_MESSAGE_DELETE", ({ id }) => drop([id]));
  useGatewayEvent("EVENT_DELETE", ({ message_id }) => drop([message_id]));
  useGatewayEvent("MESSAGE_DELETE_BULK", ({ ids }) => drop(ids));
  useGatewayEvent("MESSAGE_UPDATE", readEdited);
  useGatewayEvent("DM_MESSAGE_UPDATE", readEdited);
}
