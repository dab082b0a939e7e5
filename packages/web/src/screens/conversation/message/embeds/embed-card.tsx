import type { Embed } from "@parley/client";
import type { ReactNode } from "react";
import { useApp } from "../../../../state/app/use-app.js";
import { texts } from "../../../../texts/texts.js";
import { Markdown } from "../../markdown/markdown.js";
import { showMoment } from "../../times.js";
import styles from "./embed-card.module.css";

/** An embed. Its pictures come from this instance: the reader's address goes to nobody else. */
export function EmbedCard({ embed }: { embed: Embed }) {
  const { title, description, url, color, timestamp, author, footer, image, thumbnail, fields } = embed;
  return (
    <section
      className={styles.card}
      aria-label={title ?? texts.apps.embed}
      style={isColor(color) ? { borderInlineStartColor: color } : {}}
    >
      <div className={styles.main}>
        <div className={styles.texts}>
          {author === null ? null : (
            <p className={styles.author}>
              <Icon address={author.proxy_icon_url} />
              <MaybeLink url={author.url}>{author.name}</MaybeLink>
            </p>
          )}
          {title === null ? null : (
            <p className={styles.title} dir="auto">
              <MaybeLink url={url}>{title}</MaybeLink>
            </p>
          )}
          {description === null ? null : <Markdown text={description} />}
          {fields.length === 0 ? null : <Fields fields={fields} />}
        </div>
        {thumbnail === null ? null : <Picture address={thumbnail.proxy_url} className={styles.thumbnail} />}
      </div>
      {image === null ? null : <Picture address={image.proxy_url} className={styles.image} />}
      {footer === null && timestamp === null ? null : (
        <p className={styles.footer}>
          <Icon address={footer?.proxy_icon_url ?? null} />
          {footer === null ? null : <bdi>{footer.text}</bdi>}
          {timestamp === null ? null : <time dateTime={timestamp}>{showMoment(timestamp)}</time>}
        </p>
      )}
    </section>
  );
}

/** A colour becomes a part of a style, so any other text of the server is refused. */
const isColor = (color: string | null): color is string => color !== null && /^#[0-9a-f]{6}$/.test(color);

const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

function MaybeLink({ url, children }: { url: string | null; children: ReactNode }) {
  if (!isWebAddress(url)) return <bdi>{children}</bdi>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{children}</bdi>
    </a>
  );
}

function Fields({ fields }: { fields: Embed["fields"] }) {
  return (
    <dl className={styles.fields}>
      {fields.map(({ name, value, inline }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields have no names of their own; equal ones are allowed.
        <div key={at} className={inline ? styles.inline : styles.field}>
          <dt dir="auto">{name}</dt>
          <dd>
            <Markdown text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Picture({ address, className }: { address: string; className: string | undefined }) {
  const { client } = useApp();
  return <img className={className} src={client.resolve(address)} alt="" loading="lazy" onError={hide} />;
}

function Icon({ address }: { address: string | null }) {
  return address === null ? null : <Picture address={address} className={styles.icon} />;
}

/** A picture that is gone leaves nothing. */
function hide({ currentTarget }: { currentTarget: HTMLImageElement }) {
  currentTarget.hidden = true;
}
