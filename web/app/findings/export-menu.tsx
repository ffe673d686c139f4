import { Button, Menu } from '@mantine/core';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useKeys } from '#web/keys/use-keys.ts';
import { useOrg } from '#web/org/org.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { say, sayProblem } from '#web/shell/say.ts';
import { exportView, FORMATS, type Format } from './export.ts';
import type { Place } from './place.ts';

/** Only an address of this server is gone to, whatever a reply says. */
const isOwn = (link: string) => new URL(link, location.href).origin === location.origin;

function download(link: string): void {
  if (!isOwn(link)) throw new Error('The link to the file leads to another server, so it was not followed.');
  const anchor = document.createElement('a');
  anchor.href = link;
  anchor.download = '';
  anchor.click();
}

/** Takes exactly what the filter shows elsewhere, however much it is. */
export function ExportMenu({ view, sort, columns }: Pick<Place, 'view' | 'sort' | 'columns'>) {
  const { id: deploymentId, may } = useOrg();
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const stop = useRef(new AbortController());
  useEffect(() => {
    stop.current = new AbortController();
    return () => stop.current.abort();
  }, []);
  useKeys(may('export:create') ? { export: () => setIsOpen(true) } : {});
  const start = async (format: Format) => {
    setIsBusy(true);
    say(`Writing ${FORMATS[format]} …`);
    const { signal } = stop.current;
    try {
      download(await exportView({ deploymentId, q: view.q, sort, columns, format, signal }));
      say('The file is ready');
    } catch (error) {
      if (!signal.aborted) sayProblem(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Allowed permission="export:create">
      {(isDisabled) => (
        <Menu position="bottom-end" opened={isOpen} onChange={setIsOpen}>
          <Menu.Target>
            <Button
              variant="default"
              leftSection={<Download size={16} />}
              disabled={isDisabled || view.problems.length > 0}
              loading={isBusy}
            >
              Export
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>All that match the filter</Menu.Label>
            {(Object.keys(FORMATS) as Format[]).map((format) => (
              <Menu.Item key={format} onClick={() => void start(format)}>
                {FORMATS[format]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Allowed>
  );
}
