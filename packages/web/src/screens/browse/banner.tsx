import { pictureSource } from "../../ui/look/picture-source.js";
import styles from "./banner.module.css";

/** Its width in CSS pixels, by which its size is chosen; a banner is kept in widths of up to 960 pixels under the names of pictures. */
const shownSize = 512;

/** The banner of a server, which says nothing that its name does not; an even area without one. */
export function Banner({ url }: { url: string | null }) {
  return (
    <div className={styles.banner}>
      {url === null ? null : <img src={pictureSource(url, shownSize)} alt="" loading="lazy" />}
    </div>
  );
}
