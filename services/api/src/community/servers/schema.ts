import {
  clearableHttpUrl,
  clearablePictureUrl,
  clearableText,
  errorTexts,
  isTimeZone,
  isUuid,
  listOf,
  nameText,
  serverDescriptionMax,
  serverTagPattern,
  serverTagsMax,
  text,
  uuidInput,
} from "@parley/contracts";
import { z } from "zod";
import { passwordBody } from "../../accounts/auth/schema.js";
import { nonNull } from "../../platform/http/input.js";
import { boundedLimit } from "../../platform/http/page-limit.js";

/** Most servers of a page. */
export const browsePageMax = 50;
const browseSorts = ["members", "active", "new"] as const;

const name = nameText({ min: 1, max: 100, message: errorTexts.server_name_length });
const isPublic = z.boolean(errorTexts.is_public_not_boolean);
const requireInvite = z.boolean(errorTexts.require_invite_not_boolean);
const hierarchy = z.boolean(errorTexts.hierarchy_not_boolean);

export const createServerBody = z.object({
  name,
  icon_url: clearableHttpUrl("icon_url").optional(),
  is_public: nonNull(isPublic),
  require_invite: nonNull(requireInvite),
  hierarchy: nonNull(hierarchy),
  template_id: uuidInput(errorTexts.template_unknown).nullish(),
});
export type CreateServer = z.infer<typeof createServerBody>;

export const handOverBody = passwordBody.extend({ user_id: uuidInput(errorTexts.user_id_invalid) });
export type HandOverServer = z.infer<typeof handOverBody>;

/** Longest tag of a language, in characters. */
const languageMax = 35;

/** A tag of BCP 47 in its canonical form. */
const languageTag = z
  .string(errorTexts.browse_language_invalid)
  .max(languageMax, errorTexts.browse_language_invalid)
  .transform((tag, context) => {
    try {
      const [canonical] = Intl.getCanonicalLocales(tag);
      if (canonical !== undefined) return canonical;
    } catch {
      // No tag at all.
    }
    context.addIssue(errorTexts.browse_language_invalid);
    return z.NEVER;
  });

/** The place in a list of servers after which a page begins. */
export interface BrowsePlace {
  featured: boolean;
  /** What the list is sorted by. */
  key: number;
  id: string;
}

const browsePlace = z
  .string(errorTexts.after_invalid)
  .max(200, errorTexts.after_invalid)
  .transform((value, context): BrowsePlace => {
    const [featured, key, id] = Buffer.from(value, "base64url").toString().split(" ");
    if (/^[01]$/.test(featured ?? "") && /^\d{1,15}$/.test(key ?? "") && isUuid(id)) {
      return { featured: featured === "1", key: Number(key), id };
    }
    context.addIssue(errorTexts.after_invalid);
    return z.NEVER;
  })
  .meta({ type: "string", description: "`next` of the page before" });

/** The text of a place, for `next`. */
export function writePlace({ featured, key, id }: BrowsePlace): string {
  return Buffer.from(`${featured ? 1 : 0} ${key} ${id}`).toString("base64url");
}

const tags = listOf(z.string(errorTexts.server_tags_invalid).regex(serverTagPattern, errorTexts.server_tags_invalid), {
  min: 0,
  max: serverTagsMax,
  message: errorTexts.server_tags_invalid,
}).transform((given) => [...new Set(given)]);

/** The query of a search among public servers (docs/protocol/communities.md#34.4); without any key it is the old list. */
export const browseQuery = z.object({
  q: text({ min: 0, max: 100, message: errorTexts.member_list_q_length }).optional(),
  tag: text({ min: 0, max: 100, message: errorTexts.server_tags_invalid }).optional(),
  language: languageTag.optional(),
  sort: z.enum(browseSorts, errorTexts.browse_sort_invalid).default("members"),
  after: browsePlace.optional(),
  limit: boundedLimit({ max: browsePageMax, fallback: browsePageMax }),
});
export type BrowseQuery = z.infer<typeof browseQuery>;

/** Whether a request has one of the parameters, and is answered with a page. */
export const isSearch = (query: object): boolean => Object.keys(browseQuery.shape).some((key) => key in query);

export const updateServerBody = z.object({
  name: nonNull(name),
  icon_url: clearablePictureUrl("icon_url").optional(),
  banner_url: clearablePictureUrl("banner_url").optional(),
  description: clearableText(serverDescriptionMax, errorTexts.server_description_length).optional(),
  tags: tags
    .nullable()
    .optional()
    .transform((given) => (given === null ? [] : given)),
  language: z
    .union([z.literal("").transform(() => null), languageTag], errorTexts.browse_language_invalid)
    .nullable()
    .optional(),
  is_public: nonNull(isPublic),
  require_invite: nonNull(requireInvite),
  hierarchy: nonNull(hierarchy),
  /** Null and an empty text stand for UTC. */
  timezone: z
    .string(errorTexts.timezone_invalid)
    .refine((name) => name === "" || isTimeZone(name), errorTexts.timezone_invalid)
    .nullable()
    .optional()
    .transform((name) => (name === undefined ? undefined : name || "UTC")),
  require_second_factor: nonNull(z.boolean(errorTexts.require_second_factor_not_boolean)),
});
export type UpdateServer = z.infer<typeof updateServerBody>;
