import type { Attachment } from "@parley/client";
import { ChevronLeft, ChevronRight, Download, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useState } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { direction, texts } from "../../../texts/texts.js";
import { IconButton } from "../../../ui/look/button.js";
import { returnFocus } from "../../../ui/overlays/return-focus.js";
import styles from "./image-viewer.module.css";

/** Shows the images of a message one at a time; the arrow keys change the image. */
export function ImageViewer({
  images,
  first,
  onClose,
}: {
  images: readonly Attachment[];
  first: Attachment;
  onClose: () => void;
}) {
  const labels = texts.conversation;
  const { client } = useApp();
  const [index, setIndex] = useState(() => images.findIndex(({ id }) => id === first.id));
  const image = images[index] ?? first;
  const move = (step: number) => setIndex((index + step + images.length) % images.length);
  const onKey = (event: KeyboardEvent) => {
    const onward = direction === "ltr" ? 1 : -1;
    if (event.key === "ArrowLeft") move(-onward);
    else if (event.key === "ArrowRight") move(onward);
  };
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content
          className={styles.content}
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          onKeyDown={onKey}
          onClick={(event) => event.target === event.currentTarget && onClose()}
        >
          <div className={styles.bar}>
            <Dialog.Title className={styles.name}>
              <bdi>{image.filename}</bdi>
            </Dialog.Title>
            <a
              className={styles.download}
              href={client.resolve(image.url)}
              download={image.filename}
              aria-label={labels.download}
              title={labels.download}
            >
              <Download size={20} aria-hidden />
            </a>
            <IconButton label={texts.common.close} onClick={onClose}>
              <X size={22} aria-hidden />
            </IconButton>
          </div>
          <img className={styles.image} src={client.resolve(image.url)} alt={image.filename} />
          {images.length < 2 ? null : (
            <div className={styles.bar}>
              <IconButton label={labels.previousImage} onClick={() => move(-1)}>
                <ChevronLeft size={24} aria-hidden />
              </IconButton>
              <span>
                {index + 1} / {images.length}
              </span>
              <IconButton label={labels.nextImage} onClick={() => move(1)}>
                <ChevronRight size={24} aria-hidden />
              </IconButton>
            </div>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
