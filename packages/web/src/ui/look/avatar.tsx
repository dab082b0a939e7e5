import { firstCharacter } from "@parley/message-text";
import { useState } from "react";
import styles from "./avatar.module.css";
import { usePicture } from "./foreign-picture.js";
import { pictureSource } from "./picture-source.js";

/** Number of different colours. */
const hues = 18;

/**
 * A user's or server's picture, or its initials where there is none or it cannot be loaded; the name stands beside it, so
 * it is not read out.
 */
export function Avatar({
  name,
  url,
  size = 40,
  serverId,
}: {
  name: string;
  url: string | null;
  size?: number;
  /** Set for a server: its colour comes from the id, so that it stays when the name changes. */
  serverId?: string;
}) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const isServer = serverId !== undefined;
  const box = { width: size, height: size };
  const address = usePicture(url === brokenUrl ? null : url);
  if (address !== null) {
    return (
      <img
        className={styles.avatar}
        src={pictureSource(address, size)}
        alt=""
        loading="lazy"
        data-server={isServer}
        style={box}
        onError={() => setBrokenUrl(url)}
      />
    );
  }
  const initials = isServer ? serverInitials(name) : firstLetter(name);
  return (
    <span
      className={styles.avatar}
      aria-hidden
      data-server={isServer}
      // Not as a text, which would have to be a part of the name of the button around it.
      data-initials={initials}
      style={{
        ...box,
        fontSize: size * (initials.length > 1 ? 0.34 : 0.42),
        "--hue": hueOf(serverId ?? name),
      }}
    />
  );
}

const firstLetter = (text: string): string => firstCharacter(text.trim()).toUpperCase() || "?";

/** The first letters of the first two words; signs between them are none. */
function serverInitials(name: string): string {
  const words = name.trim().split(/[\s_-]+/);
  const named = words.filter((word) => /^[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(word));
  return (named.length === 0 ? words : named).slice(0, 2).map(firstLetter).join("");
}

/** An angle of the colour circle, the same for the same text. */
const hueOf = (seed: string): number =>
  ([...seed].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7) % hues) * (360 / hues);
