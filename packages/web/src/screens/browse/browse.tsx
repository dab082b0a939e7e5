import type { FoundServer, Server } from "@parley/client";
import { Compass } from "lucide-react";
import { useCallback, useState } from "react";
import { useLocation } from "wouter";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useFirstSteps } from "../../state/community/first-steps.js";
import { formats, texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { useDelayed } from "../../ui/data/use-delayed.js";
import { Choice, TextField } from "../../ui/forms/field.js";
import { Avatar } from "../../ui/look/avatar.js";
import { Button } from "../../ui/look/button.js";
import { useLanguage } from "../../ui/look/use-language.js";
import { TopBar } from "../shell/top-bar.js";
import { Banner } from "./banner.js";
import styles from "./browse.module.css";

const pageSize = 30;
const orders = ["members", "active", "new"] as const;
type Order = (typeof orders)[number];
/** The languages that one can choose by name. A server in another one is found by words. */
const spokenLanguages = [
  ...["ar", "bn", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hi", "hu", "id", "it", "ja", "ko"],
  ...["nb", "nl", "pl", "pt", "ro", "ru", "sv", "th", "tr", "uk", "ur", "vi", "zh"],
];
/** Keys of a server's face are null, or not there, where they are not set. */
type Listed = Server | FoundServer;

/** The public servers, found by words, tags and order. */
export function Browse() {
  const labels = texts.shell.browsePage;
  const { client } = useApp();
  const [text, setText] = useState("");
  const [tag, setTag] = useState<string | null>(null);
  const [order, setOrder] = useState<Order>("members");
  const [language, setLanguage] = useState("");
  const q = useDelayed(text.trim());
  const isSearch = q !== "" || tag !== null || language !== "" || order !== "members";
  const read = useCallback(
    async (after: string | null, signal?: AbortSignal): Promise<{ servers: Listed[]; next: string | null }> => {
      const options = signal === undefined ? {} : { signal };
      if (!isSearch) return { servers: await client.servers.browse(options), next: null };
      return client.servers.search(
        {
          ...{ sort: order, limit: pageSize },
          ...(q === "" ? {} : { q }),
          ...(tag === null ? {} : { tag }),
          ...(language === "" ? {} : { language }),
          ...(after === null ? {} : { after }),
        },
        options,
      );
    },
    [client, isSearch, q, tag, language, order],
  );
  const list = useData(useCallback((signal) => read(null, signal), [read]));
  const more = useAction(() =>
    list.extend(async () => {
      const page = await read(list.value?.next ?? null);
      return (known) => ({ servers: [...known.servers, ...page.servers], next: page.next });
    }),
  );
  return (
    <>
      <TopBar title={labels.title} icon={<Compass size={20} aria-hidden />} />
      <div className={styles.page}>
        <p className={styles.explanation}>{labels.explanation}</p>
        <div className={styles.filters}>
          <TextField
            label={labels.search}
            type="search"
            maxLength={100}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <LanguageChoice value={language} onChange={setLanguage} />
          <Choice
            label={labels.order}
            value={order}
            onChange={({ currentTarget: { value } }) => setOrder(orders.find((one) => one === value) ?? "members")}
          >
            {orders.map((one) => (
              <option key={one} value={one}>
                {labels.orders[one]}
              </option>
            ))}
          </Choice>
        </div>
        {tag === null ? null : (
          <Button kind="quiet" onClick={() => setTag(null)}>
            {labels.endTag(tag)}
          </Button>
        )}
        <AsyncContent data={list} shape="cards">
          {({ servers, next }) => (
            <>
              {servers.length === 0 ? <Empty>{isSearch ? labels.noMatch : labels.empty}</Empty> : null}
              <ul className={styles.grid}>
                {servers.map((server) => (
                  <Card key={server.id} server={server} onTag={setTag} />
                ))}
              </ul>
              <ErrorNote error={more.error} />
              {next === null ? null : (
                <Button kind="quiet" disabled={more.isBusy} onClick={() => more.run()}>
                  {labels.more}
                </Button>
              )}
            </>
          )}
        </AsyncContent>
      </div>
    </>
  );
}

/** The language of a server. */
function LanguageChoice({ value, onChange }: { value: string; onChange: (language: string) => void }) {
  const labels = texts.shell.browsePage;
  const shown = useLanguage();
  const named = spokenLanguages.map((code) => ({ code, name: formats.languageName(code) }));
  return (
    <Choice label={labels.language} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{labels.anyLanguage}</option>
      {named
        .toSorted((one, other) => one.name.localeCompare(other.name, shown))
        .map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
    </Choice>
  );
}

function Card({ server: listed, onTag }: { server: Listed; onTag: (tag: string) => void }) {
  const labels = texts.shell.browsePage;
  const { id, member_count } = listed;
  const { servers } = useApp();
  const joined = useAppState((state) => state.servers.find((server) => server.id === id));
  const isMember = joined !== undefined;
  // Events keep the user's own servers current; the page reads the others when it opens.
  const { name, icon_url } = joined ?? listed;
  const [, navigate] = useLocation();
  const begin = useFirstSteps((steps) => steps.begin);
  const join = useAction(useCallback(() => servers.join(id), [servers, id]));
  const open = async () => {
    if (!isMember) {
      if (!(await join.run())) return;
      begin(id, "member");
    }
    navigate(`/servers/${id}`);
  };
  const online = "online_count" in listed ? [texts.invite.onlineCount(listed.online_count)] : [];
  return (
    <li className={styles.card}>
      {listed.banner_url == null ? null : <Banner url={listed.banner_url} />}
      <Avatar name={name} url={icon_url} serverId={id} size={48} />
      <div className={styles.lines}>
        <h2 className={styles.name}>
          <bdi>{name}</bdi>
        </h2>
        <p className={styles.count}>{[texts.invite.membersCount(member_count), ...online].join(" · ")}</p>
        {listed.description == null ? null : <p dir="auto">{listed.description}</p>}
        {listed.tags == null ? null : (
          <div className={styles.tags}>
            {listed.tags.map((tag) => (
              <Button key={tag} kind="quiet" aria-label={labels.onlyTag(tag)} onClick={() => onTag(tag)}>
                {tag}
              </Button>
            ))}
          </div>
        )}
        <ErrorNote error={join.error} />
      </div>
      <Button kind={isMember ? "quiet" : "primary"} disabled={join.isBusy} onClick={open}>
        {isMember ? labels.open : labels.join}
      </Button>
    </li>
  );
}
