import { File as FileIcon, X } from "lucide-react";
import { useEffect, useMemo } from "react";
import { texts } from "../../../texts/texts.js";
import { IconButton } from "../../../ui/look/button.js";
import { showBytes } from "../../../ui/look/show.js";
import styles from "./file-chips.module.css";

/** The files to be sent with the next message. */
export function FileChips({ files, onRemove }: { files: readonly File[]; onRemove: (file: File) => void }) {
  return files.length === 0 ? null : (
    <ul className={styles.list}>
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name.
        <li key={`${index} ${file.name}`} className={styles.chip}>
          {file.type.startsWith("image/") ? <Preview file={file} /> : <FileIcon size={34} aria-hidden />}
          <span className={styles.lines}>
            <bdi className={styles.name}>{file.name}</bdi>
            <span className={styles.size}>{showBytes(file.size)}</span>
          </span>
          <IconButton label={texts.conversation.removeFile(file.name)} onClick={() => onRemove(file)}>
            <X size={16} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

function Preview({ file }: { file: File }) {
  const url = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <img className={styles.preview} src={url} alt="" />;
}
