import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { Secret } from "../../ui/look/secret.js";
import { SearchedPages, useSearched } from "./searched-pages.js";

/** The people of an import, with a code for each whom nobody has claimed. */
export function ImportPeopleList({ importId }: { importId: string }) {
  const { client } = useApp();
  const labels = texts.imports;
  const [code, setCode] = useState<{ personId: string; code: string } | null>(null);
  const people = useSearched(
    useCallback(
      ({ search, ...query }, options) =>
        client.admin.importPeople(importId, { ...query, ...(search === undefined ? {} : { q: search }) }, options),
      [client, importId],
    ),
  );
  const create = useAction(async (personId: string) => {
    setCode({ personId, ...(await client.admin.createImportCode(importId, personId)) });
  });
  return (
    <>
      <ErrorNote error={create.error} />
      <SearchedPages
        searched={people}
        labels={{ search: labels.searchPeople, title: labels.people, found: labels.foundPeople }}
        itemsOf={(found) => found.people}
      >
        {(person) => (
          <Row
            key={person.id}
            title={
              <>
                <bdi>{person.name}</bdi>
                {person.is_bot ? <Tag>{labels.bot}</Tag> : null}
                {person.claimed ? <Tag tone="success">{labels.claimed}</Tag> : null}
              </>
            }
            detail={
              code?.personId === person.id ? (
                <Secret label={labels.code} hint={labels.codeHint} value={code.code} />
              ) : (
                <>
                  <bdi>{person.username}</bdi> · {labels.messages(person.messages)}
                </>
              )
            }
            actions={
              person.claimed ? undefined : (
                <Button kind="quiet" disabled={create.isBusy} onClick={() => create.run(person.id)}>
                  {labels.createCode}
                </Button>
              )
            }
          />
        )}
      </SearchedPages>
    </>
  );
}
