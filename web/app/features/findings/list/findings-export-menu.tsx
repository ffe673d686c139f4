import { Button, Menu } from '@mantine/core';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';
import { useAbortSignal } from '#web/foundation/react/use-abort-signal.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EXPORT_FORMATS, type ExportFormat, exportFindings } from './export-findings.ts';
import type { FindingsListView } from './use-list-view.ts';

/** Exports all findings that match the filter. */
export function FindingsExportMenu({ view, sort, columns }: Pick<FindingsListView, 'view' | 'sort' | 'columns'>) {
  const { id: deploymentId, may } = useOrg();
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const signalOf = useAbortSignal();
  const button = useRef<HTMLButtonElement>(null);
  const open = () => {
    // On narrow screens the actions scroll sideways, and a menu is hidden with its button.
    button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    setIsOpen(true);
  };
  useShortcuts(may('export:create') ? { export: open } : {});
  const start = async (format: ExportFormat) => {
    setIsBusy(true);
    notify(`Exporting ${EXPORT_FORMATS[format]} …`);
    const signal = signalOf();
    try {
      await exportFindings({ deploymentId, q: view.q, sort, columns, format, signal });
      notify('Export finished');
    } catch (error) {
      if (!signal.aborted) notifyProblem(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <PermissionGate permission="export:create">
      {(isDisabled) => (
        <Menu position="bottom-end" opened={isOpen} onChange={setIsOpen}>
          <Menu.Target>
            <Button
              ref={button}
              variant="default"
              leftSection={<Download size={16} />}
              disabled={isDisabled || view.problems.length > 0}
              loading={isBusy}
            >
              Export
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>All matching findings</Menu.Label>
            {(Object.keys(EXPORT_FORMATS) as ExportFormat[]).map((format) => (
              <Menu.Item key={format} onClick={() => void start(format)}>
                {EXPORT_FORMATS[format]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </PermissionGate>
  );
}
