import { parseNetwork } from "@parley/auth";
import { clearableText, errorTexts, timestamp, uuid, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";

/** Shortest prefixes of networks that may be banned. */
const prefixMin = { 4: 8, 6: 16 } as const;

const cidr = z.string(errorTexts.network_cidr_invalid).transform((text, context) => {
  const network = parseNetwork(text);
  if (network !== null && network.prefix >= prefixMin[network.family]) return network;
  context.addIssue({ code: "custom", message: errorTexts.network_cidr_invalid });
  return z.NEVER;
});

const minutes = errorTexts.expires_in_minutes_range;

export const banNetworkBody = z.object({
  cidr,
  reason: clearableText(512, errorTexts.reason_length).optional(),
  expires_in_minutes: nonNull(z.int(minutes).min(1, minutes).max(525_600, minutes)),
});
export type BanNetwork = z.infer<typeof banNetworkBody>;

/** A network from which nobody registers, logs in or connects (docs/protocol/registration.md#bans). */
export const NetworkBan = z
  .object({
    id: uuid,
    cidr: z.string().meta({ example: "192.0.2.0/24" }),
    reason: z.string().nullable(),
    expires_at: timestamp.nullable(),
    created_by: uuid.nullable().meta({ description: "null once the account is deleted" }),
    created_at: timestamp,
  })
  .meta({ id: "NetworkBan" });
export type NetworkBan = z.infer<typeof NetworkBan>;

export const NetworkBanPage = z.object({ bans: z.array(NetworkBan), total: z.int() }).meta({ id: "NetworkBanPage" });

export const networkBanQuery = z.object({ before: uuidInput(errorTexts.before_invalid).optional() });
