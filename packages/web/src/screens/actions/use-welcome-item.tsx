import { MessageCircleQuestion } from "lucide-react";
import { useLocation } from "wouter";
import { useApp } from "../../state/app/use-app.js";
import { useFirstSteps } from "../../state/community/first-steps.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import type { MenuEntry } from "../../ui/overlays/menu.js";
import { useNotice } from "../../ui/page/notice.js";

/** Shows once more what a server shows and asks newcomers, whose answers a member may change at any time. */
export function useWelcomeItem(serverId: string): MenuEntry {
  const labels = texts.shell.welcomeCard;
  const { client } = useApp();
  const begin = useFirstSteps((steps) => steps.begin);
  const say = useNotice((notice) => notice.show);
  const [, navigate] = useLocation();
  const open = async () => {
    const { enabled, questions } = await client.onboarding.get(serverId);
    if (!enabled || questions.length === 0) return say(labels.nothing);
    begin(serverId, "member");
    navigate(`/servers/${serverId}`);
  };
  return {
    label: labels.again,
    icon: <MessageCircleQuestion size={16} aria-hidden />,
    onSelect: () => void open().catch((error) => say(errorText(error))),
  };
}
