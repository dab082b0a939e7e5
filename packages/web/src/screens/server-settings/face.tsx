import type { RawServer } from "@parley/client";
import { useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, showSaved, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { TextArea, TextField } from "../../ui/forms/field.js";
import { PictureField } from "../../ui/forms/picture-field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { useFollowedFields } from "../../ui/page/use-followed-fields.js";
import { Banner } from "../browse/banner.js";

/** How a server looks to people who are not in it yet. */
export function FacePanel({ server }: { server: RawServer }) {
  const { client } = useApp();
  const labels = texts.serverSettings.face;
  const [isSaved, setSaved] = useState(false);
  const fields = useFollowedFields();
  const save = useAction(async (form: FormData) => {
    const typed = textOf(form, "tags").toLowerCase().split(",");
    const changed = await client.servers.update(server.id, {
      description: textOf(form, "description"),
      language: textOf(form, "language").trim() || null,
      tags: typed.map((tag) => tag.trim()).filter((tag) => tag !== ""),
    });
    showSaved(fields.current, "tags", tagsText(changed));
    showSaved(fields.current, "language", changed.language ?? "");
    setSaved(true);
  });
  const banner = server.banner_url ?? null;
  return (
    <Panel title={labels.title} hint={labels.explanation}>
      <PictureField
        name={labels.banner}
        url={banner}
        hint={labels.bannerHint}
        show={(url) => <Banner url={url} />}
        onUse={(form) => client.servers.setBanner(server.id, form)}
        onRemove={() => client.servers.removeBanner(server.id)}
      />
      <form ref={fields} onSubmit={onForm((form) => save.run(form))} onChange={() => setSaved(false)}>
        <TextArea
          label={labels.description}
          name="description"
          maxLength={300}
          defaultValue={server.description ?? ""}
        />
        <TextField
          label={labels.tags}
          hint={labels.tagsHint}
          name="tags"
          maxLength={130}
          defaultValue={tagsText(server)}
        />
        <TextField
          label={labels.language}
          hint={labels.languageHint}
          name="language"
          maxLength={35}
          defaultValue={server.language ?? ""}
        />
        <ErrorNote error={save.error} />
        <Button type="submit" disabled={save.isBusy}>
          {texts.common.save}
        </Button>
        <output>{isSaved ? ` ${texts.serverSettings.overview.saved}` : ""}</output>
      </form>
    </Panel>
  );
}

const tagsText = ({ tags = [] }: { tags?: readonly string[] }) => tags.join(", ");
