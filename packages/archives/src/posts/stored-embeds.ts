import { embedLimits, embedList, type StoredEmbed } from "@parley/contracts";
import { fit, type PostedEmbed } from "./posted-message.js";

/** Embeds of another service as they are stored, cut to the limits of section 25.4; those that break another rule go. */
export function storedEmbeds(posted: readonly PostedEmbed[]): StoredEmbed[] {
  const embeds = (fit({ embeds: [...posted] }).embeds ?? []).flatMap(
    (embed) => embedList.safeParse([embed]).data ?? [],
  );
  // The addresses are answered twice, once signed.
  while (Buffer.byteLength(JSON.stringify(embeds)) > embedLimits.bytes / 2) embeds.pop();
  return embeds;
}
