import { Button, Menu } from '@mantine/core';
import { Download } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { chartCsv } from '#web/ui/charts/data/chart-csv.ts';
import type { ChartData } from '#web/ui/charts/data/chart-data.ts';
import { exportSvg } from '#web/ui/charts/svg/export-svg.ts';
import { saveFile } from '#web/ui/clipboard/save-file.ts';

interface ExportMenuProps {
  data: ChartData;
  ends: readonly { since: string; until: string }[];
  svg: RefObject<SVGSVGElement | null>;
  hasPicture: boolean;
}

/** Exports the report as CSV, SVG or print. */
export function ReportExportMenu({ data, ends, svg, hasPicture }: ExportMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  useShortcuts({ export: () => setIsOpen(true) });
  const savePicture = () => {
    if (svg.current)
      saveFile('guardrails-activity.svg', 'image/svg+xml', exportSvg(svg.current, `UTC. From ${location.href}`));
  };
  return (
    <Menu opened={isOpen} onChange={setIsOpen} position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="compact-sm" leftSection={<Download size={14} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => saveFile('guardrails-activity.csv', 'text/csv', chartCsv(data, ends))}>
          Numbers as CSV
        </Menu.Item>
        <Menu.Item disabled={!hasPicture} onClick={savePicture}>
          Chart as SVG
        </Menu.Item>
        <Menu.Item onClick={() => window.print()}>Print, or save as PDF</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
