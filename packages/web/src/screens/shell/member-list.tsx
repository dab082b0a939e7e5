import type { Member } from "@parley/client";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { VList, type VListHandle } from "virtua";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useRead } from "../../state/app/use-read.js";
import { accountName } from "../../state/people/names.js";
import { texts } from "../../texts/texts.js";
import { Skeleton } from "../../ui/data/skeleton.js";
import { readableColor } from "../../ui/look/readable-color.js";
import { BotTag } from "../profile/bot-tag.js";
import { ProfileTrigger } from "../profile/profile-trigger.js";
import { UserAvatar } from "../profile/user-avatar.js";
import styles from "./member-list.module.css";
import { inListOrder, type MemberRow, memberRows } from "./member-rows.js";

/** The members of a server. Presence is read for visible rows only; further members are read on scrolling. */
export function MemberList({ serverId }: { serverId: string }) {
  const { members: reader, presence: watch } = useApp();
  const members = useAppState((state) => state.members[serverId]);
  const presence = useAppState((state) => state.presence);
  const roles = useAppState((state) => state.roles[serverId]);
  const counts = useAppState((state) => state.memberCounts[serverId]);
  const list = useRef<VListHandle>(null);
  const sorted = useMemo(() => inListOrder(Object.values(members ?? {}), counts?.total), [members, counts?.total]);
  const rows = useMemo(() => memberRows(sorted, presence, roles ?? [], counts), [sorted, presence, roles, counts]);

  // The own membership is read by itself, before the others.
  const isLoading = counts === undefined && sorted.length < 2;

  useRead(useCallback(() => reader.open(serverId), [reader, serverId]));
  useEffect(() => () => watch.show("members", []), [watch]);

  const look = useCallback(() => {
    const handle = list.current;
    if (handle === null) return;
    const first = handle.findItemIndex(handle.scrollOffset);
    const last = handle.findItemIndex(handle.scrollOffset + handle.viewportSize);
    const seen = rows.slice(first, last + 1).flatMap((row) => (row.kind === "member" ? [row.member.user_id] : []));
    watch.show("members", seen);
    if (last >= rows.length - 20) void reader.more(serverId).catch(() => undefined);
  }, [rows, watch, reader, serverId]);
  useEffect(() => {
    look();
  }, [look]);

  return (
    <section className={styles.panel} data-region="members" aria-label={texts.shell.members}>
      {isLoading ? (
        <Skeleton shape="members" />
      ) : (
        <VList ref={list} className={styles.list} data={rows} onScroll={look} tabIndex={-1}>
          {(row: MemberRow) =>
            row.kind === "title" ? (
              <h3 key={row.key} className={styles.title}>
                <bdi>{row.text}</bdi>
              </h3>
            ) : (
              <MemberLine key={row.key} serverId={serverId} member={row.member} />
            )
          }
        </VList>
      )}
    </section>
  );
}

function MemberLine({ serverId, member }: { serverId: string; member: Member }) {
  const presence = useAppState((state) => state.presence[member.user_id]);
  const name = useAppState(
    (state) => member.nickname ?? accountName(state, { id: member.user_id, username: member.username }),
  );
  const status = presence?.status ?? "offline";
  const color = member.roles[0]?.color;
  return (
    <ProfileTrigger userId={member.user_id} serverId={serverId}>
      <button type="button" className={styles.member} data-offline={status === "offline"}>
        <UserAvatar name={member.username} url={member.avatar_url} status={status} size={32} />
        <span className={styles.lines}>
          <bdi className={styles.name} style={color === undefined ? {} : { color: readableColor(color) }}>
            {name}
          </bdi>
          {presence?.custom_status ? <bdi className={styles.text}>{presence.custom_status}</bdi> : null}
        </span>
        <BotTag username={member.username} />
        <span className="visually-hidden">, {texts.shell.presence[status]}</span>
      </button>
    </ProfileTrigger>
  );
}
