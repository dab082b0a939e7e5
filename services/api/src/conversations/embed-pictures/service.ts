import { errorTexts, notFound, pictureBytesMax, pictureTypes, ServiceError } from "@parley/contracts";
import { createAddressTest, type NameResolver } from "@parley/egress";
import type { Config } from "../../config.js";
import { detectType } from "../../platform/files/detect-type.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import { createFetchPublic } from "../link-previews/fetch-public.js";
import { SharedFetch } from "../link-previews/shared-fetch.js";
import { KeptPictures, type Picture } from "./kept-pictures.js";
import { pictureQueue } from "./limits.js";

const wanted = {
  accept: pictureTypes.join(", "),
  type: /^\s*image\//i,
  bytesMax: pictureBytesMax,
  tooLarge: errorTexts.preview_too_large,
};

/** Bytes that the type is decided by. */
const headBytes = 64 * 1024;
const types = new Set<string>(pictureTypes);

/**
 * Passes pictures of third parties on, so that these do not learn who reads an embed (docs/protocol/apps.md#25.4). It may
 * dial the same addresses as link previews.
 */
export function createEmbedPictures({
  names,
  allowedNetworks,
}: {
  names: NameResolver;
  allowedNetworks: Config["LINK_PREVIEW_ALLOWED_NETWORKS"];
}) {
  const fetchPublic = createFetchPublic({
    allows: createAddressTest({ allowPrivate: false, allowedNetworks }),
    names,
    wanted,
  });
  const queue = new FairQueue(pictureQueue);
  const kept = new KeptPictures();
  /** All readers of a message ask at the same moment: the picture is fetched once. */
  const underWay = new Map<string, SharedFetch<Picture | null>>();

  const fetchPicture = async (url: string, abandoned: AbortSignal): Promise<Picture | null> => {
    try {
      const { bytes } = await fetchPublic(new URL(url), abandoned);
      const type = await detectType(bytes.subarray(0, headBytes));
      return type !== null && types.has(type) ? { type, bytes } : null;
    } catch (error) {
      // Then the failure is none of the picture.
      abandoned.throwIfAborted();
      if (error instanceof ServiceError && error.kind === "invalid_input") return null;
      throw error;
    }
  };

  const begin = (url: string) => {
    const fetch = new SharedFetch(queue, (abandoned) => fetchPicture(url, abandoned));
    underWay.set(url, fetch);
    const end = () => {
      if (underWay.get(url) === fetch) underWay.delete(url);
    };
    fetch.result.then((picture) => kept.put(url, picture)).then(end, end);
    return fetch;
  };

  return {
    /**
     * @param reader the tenant of the fair queue
     * @param left aborts when the reader does not wait any more
     * @throws ServiceError 404 for a URL without a picture or without an answer, 429 when too many of the reader's
     * requests wait
     */
    async find(reader: string, url: string, left: AbortSignal): Promise<Picture> {
      let picture = kept.get(url);
      if (picture === undefined) {
        const other = underWay.get(url);
        const fetch = other === undefined || other.isAbandoned ? begin(url) : other;
        fetch.join(reader, left);
        picture = await fetch.result;
      }
      if (picture === null) throw notFound(errorTexts.picture_not_found);
      return picture;
    },
  };
}

export type EmbedPictures = ReturnType<typeof createEmbedPictures>;
