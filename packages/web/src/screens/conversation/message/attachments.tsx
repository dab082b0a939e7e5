import type { Attachment } from "@parley/client";
import { Download, File as FileIcon } from "lucide-react";
import { useState } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { showBytes } from "../../../ui/look/show.js";
import { Dialog } from "../../../ui/overlays/dialog.js";
import { lazyPart } from "../../../ui/page/lazy-part.js";
import { useConversation } from "../context.js";
import styles from "./attachments.module.css";

const ImageViewer = lazyPart(async () => (await import("./image-viewer.js")).ImageViewer, {
  missing: ({ first, onClose }, note) => (
    <Dialog open onOpenChange={onClose} title={first.filename}>
      {note}
    </Dialog>
  ),
});

/** The attachments of a message. */
export function Attachments({ messageId }: { messageId: string }) {
  return <AttachmentList files={useAppState((state) => state.attachments[messageId]) ?? none} />;
}

const none: readonly Attachment[] = [];

/** Pictures, players and links of files. */
export function AttachmentList({ files }: { files: readonly Attachment[] }) {
  const [shown, setShown] = useState<Attachment | null>(null);
  const images = files.filter((file) => file.width !== null);
  return (
    <>
      {files.length === 0 ? null : (
        <div className={styles.list}>
          {files.map((file) => (
            <AttachmentView key={file.id} file={file} onOpen={() => setShown(file)} />
          ))}
        </div>
      )}
      {shown === null ? null : <ImageViewer images={images} first={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function AttachmentView({ file, onOpen }: { file: Attachment; onOpen: () => void }) {
  const { client, details } = useApp();
  const { place } = useConversation();
  const [hasRenewed, setRenewed] = useState(false);
  const [isLoading, setLoading] = useState(true);
  const url = client.resolve(file.url);
  const renew = () => {
    setLoading(false);
    // The URL's signature is valid for 24 hours, and a page may stay open for longer: reads a new URL, once.
    if (hasRenewed) return;
    setRenewed(true);
    details.readAttachments(place.id, file.message_id).catch(() => undefined);
  };
  if (file.width !== null && file.height !== null) {
    return (
      <button
        type="button"
        data-native-menu
        className={styles.image}
        style={{ aspectRatio: `${file.width} / ${file.height}`, width: imageWidth(file.width, file.height) }}
        aria-label={texts.conversation.openImage(file.filename)}
        onClick={onOpen}
      >
        {isLoading ? <bdi className={styles.imageName}>{file.filename}</bdi> : null}
        <img
          src={client.resolve(file.thumbnail_url ?? file.url)}
          alt={file.filename}
          loading="lazy"
          onError={renew}
          onLoad={() => setLoading(false)}
        />
      </button>
    );
  }
  if (file.mime_type.startsWith("video/")) {
    // biome-ignore lint/a11y/useMediaCaption: files of users have no captions.
    return <video className={styles.video} src={url} controls preload="metadata" onError={renew} />;
  }
  if (file.mime_type.startsWith("audio/")) {
    // biome-ignore lint/a11y/useMediaCaption: files of users have no captions.
    return <audio className={styles.audio} src={url} controls preload="none" onError={renew} />;
  }
  return (
    <a className={styles.file} href={url} download={file.filename} rel="noopener noreferrer">
      <FileIcon size={28} aria-hidden />
      <span className={styles.lines}>
        <bdi className={styles.name}>{file.filename}</bdi>
        <span className={styles.size}>{showBytes(file.file_size)}</span>
      </span>
      <Download size={18} aria-label={texts.conversation.download} />
    </a>
  );
}

const widthMax = 420;
const heightMax = 320;

/** Width of the space reserved for an image, so that its loading does not move the messages. */
function imageWidth(width: number, height: number): number {
  return Math.max(40, Math.min(width, widthMax, (heightMax * width) / height));
}
