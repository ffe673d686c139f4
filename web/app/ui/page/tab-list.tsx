import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import './tab-list.css';

/** Tabs in one line: where there is no room for all, they scroll, and the one that is open is in sight. */
export function TabList({ open, children }: { open: string; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const own = list.current;
    const tab = own?.querySelector<HTMLElement>(`[data-tab="${open}"]`);
    if (own && tab) own.scrollLeft = tab.offsetLeft - (own.clientWidth - tab.offsetWidth) / 2;
  }, [open]);
  return (
    <Tabs.List ref={list} className="tab-list">
      {children}
    </Tabs.List>
  );
}
