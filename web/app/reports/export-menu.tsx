import { Button, Menu } from '@mantine/core';
import { Download } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { csvOfChart } from '#web/charts/csv.ts';
import type { ChartData } from '#web/charts/data.ts';
import { svgText } from '#web/charts/save.ts';
import { useKeys } from '#web/keys/use-keys.ts';
import { saveText } from '#web/parts/save-text.ts';

interface ExportMenuProps {
  data: ChartData;
  ends: readonly { since: string; until: string }[];
  svg: RefObject<SVGSVGElement | null>;
  hasPicture: boolean;
}

/** Takes the report elsewhere: its numbers, its picture, or the page on paper. */
export function ExportMenu({ data, ends, svg, hasPicture }: ExportMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  useKeys({ export: () => setIsOpen(true) });
  const savePicture = () => {
    if (svg.current)
      saveText('guardrails-activity.svg', 'image/svg+xml', svgText(svg.current, `UTC. From ${location.href}`));
  };
  return (
    <Menu opened={isOpen} onChange={setIsOpen} position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="compact-sm" leftSection={<Download size={14} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => saveText('guardrails-activity.csv', 'text/csv', csvOfChart(data, ends))}>
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
