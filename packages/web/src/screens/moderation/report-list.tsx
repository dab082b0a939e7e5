import type { Report } from "@parley/client";
import { excerpt } from "@parley/message-text";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { mayModerate } from "../../state/access/moderation.js";
import { mayInChannel, mayReadHistory } from "../../state/access/permissions.js";
import { useApp } from "../../state/app/use-app.js";
import { useGatewayEvent } from "../../state/app/use-gateway-event.js";
import { texts } from "../../texts/texts.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Choice } from "../../ui/forms/field.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Button } from "../../ui/look/button.js";
import { ConfirmDialog } from "../../ui/overlays/confirm.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import { CloseDialog } from "./close-dialog.js";
import { ReportRow } from "./report-row.js";
import { type ReportKey, useReportKeys } from "./use-report-keys.js";

const pageSize = 25;
type Status = Report["status"];

/** Characters of a reported text that name its menu. */
const nameMax = 30;

/** The reports of a server; keys choose one of them and act on it. */
export function ReportList({ serverId }: { serverId: string }) {
  const { client } = useApp();
  const labels = texts.moderation;
  const [status, setStatus] = useState<Status>("open");
  const [asked, ask] = useState<{ about: "close" | "remove"; report: Report } | null>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const reports = useData(
    useCallback(
      (signal) => client.reports.list(serverId, { status, limit: pageSize }, { signal }),
      [client, serverId, status],
    ),
  );
  const older = useAction((last: Report) =>
    reports.extend(async () => {
      const page = await client.reports.list(serverId, { status, limit: pageSize, before: last.id });
      return (known) => [...known, ...page];
    }),
  );
  const show = (report: Report) => {
    if (report.server_id === serverId) reports.set((known) => merged(known, report, status));
  };
  useGatewayEvent("REPORT_CREATE", show);
  useGatewayEvent("REPORT_UPDATE", show);
  const update = async (report: Report, change: { status: Status; note?: string | null }) =>
    show(await client.reports.update(serverId, report.id, change));
  const actionsOf = useReportActions(serverId, {
    close: (report) =>
      report.status === "open" ? ask({ about: "close", report }) : void update(report, { status: "open" }),
    remove: (report) => ask({ about: "remove", report }),
  });

  const shown = reports.value ?? [];
  const place = shown.findIndex(({ id }) => id === current);
  useReportKeys((key) => {
    if (key === "next" || key === "previous") {
      const next = key === "next" ? Math.min(place + 1, shown.length - 1) : Math.max(place - 1, 0);
      setCurrent(shown[next]?.id ?? null);
      return;
    }
    const report = shown[place];
    if (report !== undefined) actionsOf(report)[key]?.();
  });
  return (
    <>
      <Choice
        label={labels.status}
        value={status}
        onChange={(event) => setStatus(event.currentTarget.value === "closed" ? "closed" : "open")}
      >
        <option value="open">{labels.statuses.open}</option>
        <option value="closed">{labels.statuses.closed}</option>
      </Choice>
      <AsyncRows
        data={reports}
        label={labels.reports}
        empty={labels.none}
        more={{ label: labels.older, pageSize, action: older }}
      >
        {(report) => (
          <OneReport key={report.id} report={report} isCurrent={report.id === current} actions={actionsOf(report)} />
        )}
      </AsyncRows>
      {asked?.about === "close" ? (
        <CloseDialog
          note={asked.report.note}
          onConfirm={(note) => update(asked.report, { status: "closed", note })}
          onClose={() => ask(null)}
        />
      ) : null}
      {asked?.about === "remove" ? (
        <ConfirmDialog
          open
          onOpenChange={() => ask(null)}
          title={texts.conversation.removeTitle}
          explanation={texts.conversation.removeExplanation}
          confirmLabel={texts.conversation.remove}
          onConfirm={() => client.messages.delete(asked.report.message_id ?? "")}
        />
      ) : null}
    </>
  );
}

type Actions = Partial<Record<ReportKey, () => void>>;

/** The user's actions on a report. */
function useReportActions(
  serverId: string,
  { close, remove }: { close: (report: Report) => void; remove: (report: Report) => void },
): (report: Report) => Actions {
  const { store } = useApp();
  const [, navigate] = useLocation();
  const open = useOpenDialog((dialogs) => dialogs.open);
  return (report) => {
    const { message_id, channel_id, author_id: userId } = report;
    const state = store.getState();
    const actions: Actions = { close: () => close(report) };
    if (message_id !== null && channel_id !== null) {
      if (mayInChannel(state, channel_id, "VIEW_CHANNEL"))
        actions.jump = () => navigate(`/servers/${serverId}/channels/${channel_id}/${message_id}`);
      if (mayInChannel(state, channel_id, "MANAGE_MESSAGES")) actions.remove = () => remove(report);
    }
    if (userId === null) return actions;
    const username = state.profiles[userId]?.username ?? state.members[serverId]?.[userId]?.username ?? "";
    const member = { serverId, userId, username };
    if (mayReadHistory(state, serverId, userId)) actions.history = () => open({ kind: "history", ...member });
    for (const [key, bit] of [
      ["timeout", "MUTE_MEMBERS"],
      ["ban", "BAN_MEMBERS"],
    ] as const) {
      if (mayModerate(state, serverId, userId, bit)) actions[key] = () => open({ kind: "moderate", bit, ...member });
    }
    return actions;
  };
}

function OneReport({ report, isCurrent, actions }: { report: Report; isCurrent: boolean; actions: Actions }) {
  const labels = texts.moderation;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isCurrent) return;
    row.current?.focus();
    row.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  const item = (key: ReportKey, label: string, danger: boolean) => {
    const onSelect = actions[key];
    return onSelect === undefined ? null : { label, danger, onSelect };
  };
  return (
    <ReportRow
      report={report}
      frame={{ ref: row, tabIndex: -1, "aria-current": isCurrent ? "true" : undefined }}
      actions={
        <>
          {actions.jump === undefined ? null : (
            <Button kind="quiet" onClick={actions.jump}>
              {labels.jump}
            </Button>
          )}
          <Button kind="quiet" onClick={actions.close}>
            {report.status === "open" ? labels.close : labels.reopen}
          </Button>
          <RowMenu
            name={report.content === null ? labels.reports : excerpt(report.content, nameMax)}
            actions={[
              item("history", labels.history, false),
              item("remove", labels.keysOf.remove, true),
              item("timeout", labels.keysOf.timeout, true),
              item("ban", labels.keysOf.ban, true),
            ]}
          />
        </>
      }
    />
  );
}

/** The list with a report as it is now: in its place, at the top when it is new, and not where the status is another. */
function merged(known: readonly Report[], report: Report, status: Status): Report[] {
  const others = known.filter(({ id }) => id !== report.id);
  if (report.status !== status) return others;
  return [...others, report].sort((one, other) => (one.id < other.id ? 1 : -1));
}
