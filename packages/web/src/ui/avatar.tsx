import { useState } from "react";
import styles from "./avatar.module.css";

/** A user's or server's picture, or its initial, also where the picture cannot be loaded; the name stands beside it, so it is not read out. */
export function Avatar({ name, url, size = 40 }: { name: string; url: string | null; size?: number }) {
  const style = { width: size, height: size, fontSize: size * 0.42 };
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  if (url !== null && url !== failedUrl) {
    return (
      <img
        className={styles.avatar}
        src={url}
        alt=""
        loading="lazy"
        referrerPolicy="no-referrer"
        style={style}
        onError={() => setFailedUrl(url)}
      />
    );
  }
  const hue = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
  return (
    <span className={styles.avatar} aria-hidden style={{ ...style, backgroundColor: `hsl(${hue} 42% 34%)` }}>
      {[...name][0]?.toUpperCase() ?? "?"}
    </span>
  );
}
