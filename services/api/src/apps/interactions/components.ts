import type { FileUrls } from "@parley/auth";
import {
  type ButtonComponent,
  type InteractionMessage,
  invalidInput,
  isUuid,
  type SelectComponent,
} from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { findEphemeralMessage } from "@parley/interactions";
import { findMessage } from "../../conversations/messages/repository.js";
import { toOneMessage } from "../../conversations/messages/resource.js";
import { faultText } from "../../platform/http/named-faults.js";
import type { References } from "./options.js";

type Component = ButtonComponent | SelectComponent;

/** Looks for a message of a channel, or one that somebody alone got there; null when it is deleted or its author is gone. */
export async function findPressed(
  connection: Queryable,
  { messageId, userId, channelId }: { messageId: string; userId: string; channelId: string },
  urls: FileUrls,
): Promise<(InteractionMessage & { author_id: string }) | null> {
  const row = await findMessage(connection, messageId);
  const isThere = row !== null && row.channel_id === channelId && !row.deleted;
  const message = isThere
    ? await toOneMessage(connection, row, { viewerId: userId, urls })
    : row === null && (await findEphemeralMessage(connection, { messageId, userId, channelId }));
  if (!message || message.author_id === null) return null;
  return { ...message, author_id: message.author_id };
}

/** The component of a message that can be used by this id: no link, and not disabled. */
export function findComponent({ components }: InteractionMessage, customId: string): Component | null {
  const found = components?.flat().find((component) => component.custom_id === customId);
  return found === undefined || (found.type === "button" && found.disabled) ? null : found;
}

/**
 * Checks the selected values; the caller looks up values that name members, roles or channels of the server.
 *
 * @throws ServiceError 400 that names the first fault by its path
 */
export function checkValues(
  component: Component,
  values: readonly unknown[],
): { values: string[]; references: References } {
  const references: References = { user: [], channel: [], role: [] };
  if (component.type === "button") {
    if (values.length > 0) throw fault([], "must be empty for a button");
    return { values: [], references };
  }
  const { kind, min_values, max_values } = component;
  if (values.length < min_values || values.length > max_values) {
    throw fault([], `must be ${min_values}-${max_values} values`);
  }
  const checked = values.map((value, index) => checkValue(component, value, index));
  const again = checked.findIndex((value, index) => checked.indexOf(value) < index);
  if (again !== -1) throw fault([again], "must be unique");
  return { values: checked, references: kind === "text" ? references : { ...references, [kind]: checked } };
}

/** @throws ServiceError 400 for the first value that names something that the server does not have */
export function requireSelected(component: Component, values: readonly string[], found: ReadonlySet<string>): void {
  if (component.type === "button" || component.kind === "text") return;
  const missing = values.findIndex((value) => !found.has(value));
  if (missing !== -1) throw fault([missing], `is no ${component.kind} of the server`);
}

function checkValue({ kind, options }: SelectComponent, value: unknown, index: number): string {
  if (kind === "text") {
    const option = options?.find((each) => each.value === value);
    if (option === undefined) throw fault([index], "is none of the options");
    return option.value;
  }
  if (typeof value !== "string" || !isUuid(value)) throw fault([index], `must be of the type ${kind}`);
  return value.toLowerCase();
}

const fault = (path: readonly number[], text: string) => invalidInput(faultText("values", path, text));
