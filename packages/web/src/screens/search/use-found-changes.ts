import type { SearchPage } from "@parley/client";
import { useGatewayEvent } from "../../state/app/use-gateway-event.js";
import type { Data } from "../../ui/data/use-data.js";

/**
 * Takes deleted messages out of the results of a search, and reads the results again when one of the messages is
 * edited.
 */
export function useFoundChanges({ value, set, reload }: Data<SearchPage>): void {
  const drop = (gone: readonly string[]) =>
    set((page) => {
      const results = page.results.filter(({ id }) => !gone.includes(id));
      return { ...page, results, total: page.total - (page.results.length - results.length) };
    });
  const readEdited = ({ id }: { id: string }) => {
    if (value?.results.some((result) => result.id === id) === true) void reload();
  };
  useGatewayEvent("MESSAGE_DELETE", ({ id }) => drop([id]));
  useGatewayEvent("DM_MESSAGE_DELETE", ({ id }) => drop([id]));
  useGatewayEvent("EVENT_DELETE", ({ message_id }) => drop([message_id]));
  useGatewayEvent("MESSAGE_DELETE_BULK", ({ ids }) => drop(ids));
  useGatewayEvent("MESSAGE_UPDATE", readEdited);
  useGatewayEvent("DM_MESSAGE_UPDATE", readEdited);
}
