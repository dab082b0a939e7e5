import type { Onboarding, OnboardingPutBody } from "@parley/client";

/** An option of a question that is being written; `id` once the service has made one. */
export interface OptionDraft {
  key: string;
  id?: string;
  title: string;
  emoji: string;
  roleIds: readonly string[];
  channelIds: readonly string[];
}

/** A question that is being written. */
export interface QuestionDraft {
  key: string;
  id?: string;
  title: string;
  single: boolean;
  required: boolean;
  options: readonly OptionDraft[];
}

/** An onboarding that is being written. */
export interface Draft {
  enabled: boolean;
  welcome: string;
  channels: readonly { channel_id: string; description: string }[];
  questions: readonly QuestionDraft[];
}

let keys = 0;
const newKey = () => `new-${++keys}`;

/** An option without a title. */
export const newOption = (): OptionDraft => ({ key: newKey(), title: "", emoji: "", roleIds: [], channelIds: [] });

/** A question with one option. */
export const newQuestion = (): QuestionDraft => ({
  ...{ key: newKey(), title: "", single: true, required: false },
  options: [newOption()],
});

/** What is saved, to be changed. */
export function draftOf({ enabled, welcome, channels, questions }: Onboarding): Draft {
  return {
    enabled,
    welcome: welcome ?? "",
    channels,
    questions: questions.map(({ options, ...question }) => ({
      ...question,
      key: question.id,
      options: options.map(({ id, title, emoji, role_ids, channel_ids }) => ({
        ...{ key: id, id, title, emoji: emoji ?? "", roleIds: role_ids, channelIds: channel_ids },
      })),
    })),
  };
}

/** The request that saves a draft. */
export function bodyOf({ enabled, welcome, channels, questions }: Draft): OnboardingPutBody {
  return {
    enabled,
    welcome: welcome.trim() || null,
    channels: [...channels],
    questions: questions.map(({ key: _key, options, ...question }) => ({
      ...question,
      options: options.map(({ id, title, emoji, roleIds, channelIds }) => ({
        ...(id === undefined ? {} : { id }),
        ...{ title, emoji: emoji.trim() || null, role_ids: [...roleIds], channel_ids: [...channelIds] },
      })),
    })),
  };
}

/** The items without the one of a key. */
export const without = <Item extends { key: string }>(items: readonly Item[], key: string): Item[] =>
  items.filter((item) => item.key !== key);
