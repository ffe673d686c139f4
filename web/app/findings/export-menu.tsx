import { Button, Menu } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useStopSignal } from '#web/api/use-stop-signal.ts';
import { useKeys } from '#web/keys/use-keys.ts';
import { useOrg } from '#web/org/org.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { say, sayProblem } from '#web/shell/say.ts';
import { exportView, FORMATS, type Format } from './export.ts';
import type { Place } from './place.ts';

/** Takes exactly what the filter shows elsewhere, however much it is. */
export function ExportMenu({ view, sort, columns }: Pick<Place, 'view' | 'sort' | 'columns'>) {
  const { id: deploymentId, may } = useOrg();
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const signalOf = useStopSignal();
  useKeys(may('export:create') ? { export: () => setIsOpen(true) } : {});
  const start = async (format: Format) => {
    setIsBusy(true);
    say(`Writing ${FORMATS[format]} …`);
    const signal = signalOf();
    try {
      await exportView({ deploymentId, q: view.q, sort, columns, format, signal });
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
