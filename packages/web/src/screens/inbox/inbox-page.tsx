import { Inbox } from "lucide-react";
import { type ComponentType, useEffect, useRef } from "react";
import { Link, useRoute } from "wouter";
import { useAppState } from "../../state/app/use-app.js";
import { unreadItems } from "../../state/inbox/inbox.js";
import { texts } from "../../texts/texts.js";
import { Badge } from "../../ui/look/badge.js";
import { NotFound } from "../shell/not-found.js";
import { TopBar } from "../shell/top-bar.js";
import { DraftsList } from "./drafts-list.js";
import styles from "./inbox.module.css";
import { InboxList } from "./inbox-list.js";
import { PlansList } from "./plans-list.js";
import { RemindersList } from "./reminders-list.js";
import { SavedList } from "./saved-list.js";

const tabs = ["inbox", "saved", "reminders", "scheduled", "drafts"] as const;
type Tab = (typeof tabs)[number];
const lists: Record<Tab, ComponentType> = {
  inbox: InboxList,
  saved: SavedList,
  reminders: RemindersList,
  scheduled: PlansList,
  drafts: DraftsList,
};
const pathOf = (tab: Tab) => (tab === "inbox" ? "/inbox" : `/inbox/${tab}`);

/** What concerns the user over all servers and conversations, and what they keep and plan. */
export function InboxPage() {
  const labels = texts.inbox;
  const [, params] = useRoute("/inbox/:tab?");
  const tab = tabs.find((each) => each === (params?.tab ?? "inbox"));
  const unread = useAppState(unreadItems);
  const current = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another element.
  useEffect(() => {
    // A telephone shows some of the tabs.
    current.current?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [tab]);
  if (tab === undefined) return <NotFound />;
  const List = lists[tab];
  return (
    <>
      <TopBar title={labels.title} icon={<Inbox size={20} aria-hidden />} />
      <nav className={styles.tabs} aria-label={labels.title}>
        {tabs.map((each) => (
          <Link key={each} href={pathOf(each)} className={styles.tab} aria-current={each === tab ? "page" : undefined}>
            {labels.tabs[each]}
            {each === "inbox" ? <Badge count={unread} label={labels.unread(unread)} /> : null}
          </Link>
        ))}
      </nav>
      <div className={styles.page}>
        <List />
      </div>
    </>
  );
}
