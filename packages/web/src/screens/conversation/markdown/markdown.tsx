import { isDeeplyNested, type Mark as TextMark } from "@parley/message-text";
import { Component, Fragment, memo, type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { useAppState } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { useConversation } from "../context.js";
import { HighlightedCode } from "./highlighted-code.js";
import styles from "./markdown.module.css";
import { isPlainSentence } from "./plain-sentence.js";
import { type Elements, renderMarkdown } from "./render-markdown.js";
import { RoleMark, useRoleNames } from "./role-mark.js";
import { UserMark } from "./user-mark.js";

/** A message's text as Markdown. HTML is shown as text, and images are shown as links. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  if (isDeeplyNested(text)) return <p className={styles.plain}>{text}</p>;
  return (
    <PlainOnFailure text={text}>
      <div className={styles.text} data-large={isFewEmoji(text)}>
        {isPlainSentence(text) ? <p dir="auto">{text}</p> : <Formatted text={text} />}
      </div>
    </PlainOnFailure>
  );
});

/** A component of its own, so that a boundary above catches its errors. */
const Formatted = ({ text }: { text: string }) => renderMarkdown(text, elements, useRoleNames());

interface Inner {
  children?: ReactNode;
}

const SmallHeading = ({ children }: Inner) => <p className={styles.h3}>{children}</p>;

const elements: Elements = {
  fragment: Fragment,
  mark: Mark,
  p: ({ children }: Inner) => <p dir="auto">{children}</p>,
  li: ({ children }: Inner) => <li dir="auto">{children}</li>,
  h1: ({ children }: Inner) => <p className={styles.h1}>{children}</p>,
  h2: ({ children }: Inner) => <p className={styles.h2}>{children}</p>,
  h3: SmallHeading,
  h4: SmallHeading,
  h5: SmallHeading,
  h6: SmallHeading,
  // A link, so that the browser does not load a URL that the message's author chose.
  img: ({ src, alt }: { src: string; alt?: string | null }) => <SafeLink href={src}>{alt || src}</SafeLink>,
  a: SafeLink,
  table: ({ children }: Inner) => (
    <div className={styles.table}>
      <table>{children}</table>
    </div>
  ),
  // Code leads from left to right in every language.
  code: ({ className, children }: Inner & { className?: string }) => {
    const language = /^language-([\w+#.-]{1,32})$/.exec(className ?? "")?.[1];
    return language === undefined || typeof children !== "string" ? (
      <code className={className} dir="ltr">
        {children}
      </code>
    ) : (
      <HighlightedCode language={language.toLowerCase()} code={children} />
    );
  },
  pre: ({ children }: Inner) => (
    <pre className={styles.code} dir="ltr">
      {children}
    </pre>
  ),
};

function SafeLink({ href, children }: { href: string; children?: ReactNode }) {
  const [, navigate] = useLocation();
  if (href === "") return <span>{children}</span>;
  const url = URL.canParse(href, location.href) ? new URL(href, location.href) : null;
  const isOwn = url?.origin === location.origin && url.pathname.startsWith("/app/");
  return (
    <a
      href={href}
      {...(isOwn ? {} : { target: "_blank", rel: "noopener noreferrer nofollow" })}
      onClick={(event) => {
        if (!isOwn || url === null || event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        navigate(url.pathname.slice("/app".length));
      }}
    >
      {children}
    </a>
  );
}

function Mark({ kind, value, isInLink, children }: TextMark & { isInLink: boolean; children?: ReactNode }) {
  if (kind === "user") {
    return (
      <UserMark run={value} isInLink={isInLink}>
        {children}
      </UserMark>
    );
  }
  if (kind === "role") return <RoleMark name={value}>{children}</RoleMark>;
  if (kind === "channel") return isInLink ? children : <ChannelMark name={value}>{children}</ChannelMark>;
  if (kind === "emoji") return <CustomEmojiMark name={value}>{children}</CustomEmojiMark>;
  return <Spoiler>{children}</Spoiler>;
}

function ChannelMark({ name, children }: { name: string; children: ReactNode }) {
  const { serverId } = useConversation();
  const channelId = useAppState((state) =>
    serverId === null
      ? undefined
      : state.channelIds[serverId]?.find((id) => state.channels[id]?.name.toLowerCase() === name.toLowerCase()),
  );
  return channelId === undefined ? (
    children
  ) : (
    <SafeLink href={`/app/servers/${serverId}/channels/${channelId}`}>
      <bdi className={styles.mention}>{children}</bdi>
    </SafeLink>
  );
}

function CustomEmojiMark({ name, children }: { name: string; children: ReactNode }) {
  const { serverId } = useConversation();
  const url = useAppState((state) =>
    serverId === null ? undefined : state.emojis[serverId]?.find((emoji) => emoji.name === name)?.url,
  );
  return url === undefined ? (
    children
  ) : (
    <img className={styles.emoji} src={url} alt={`:${name}:`} title={`:${name}:`} loading="lazy" />
  );
}

/** The revealed text gets the focus of the button that hid it. */
const focus = (element: HTMLElement | null) => {
  element?.focus();
};

function Spoiler({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  return isShown ? (
    <span ref={focus} className={styles.revealed} tabIndex={-1}>
      {children}
    </span>
  ) : (
    <button
      type="button"
      className={styles.spoiler}
      aria-label={texts.conversation.spoiler}
      onClick={() => setShown(true)}
    >
      <span aria-hidden>{children}</span>
    </button>
  );
}

/** Shows the plain text when rendering it as Markdown fails. */
class PlainOnFailure extends Component<{ text: string; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <p className={styles.plain}>{this.props.text}</p> : this.props.children;
  }
}

const emojiOnly = /^(?:\s|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\u20e3)+$/u;
const isFewEmoji = (text: string) => text.trim() !== "" && text.length < 60 && emojiOnly.test(text.trim());
