import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import './tab-list.css';

/** A single row of tabs that scrolls if it is too wide and keeps the active tab in view. */
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
